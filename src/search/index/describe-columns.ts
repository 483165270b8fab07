import { RECORD_ID_LENGTH } from '../../model/ids.ts';
import { idAt } from './columns.ts';
import { holdsOneValue, holdsSameBytes } from './holds-one-value.ts';
import type { SegmentFactsOfColumns } from './segment-directory.ts';
import type { Sections } from './segment-format.ts';

/** What is true of all records and passages of a segment. */
export function describeColumns(sections: Sections): SegmentFactsOfColumns {
  const { ids, docLength, docRecord, docStart, superseded, validFrom, validUntil, kind, scales } = sections;
  const records = ids.length / RECORD_ID_LENGTH;
  let maxLength = 0;
  let sumLength = 0;
  for (let doc = 0; doc < docLength.length; doc++) {
    sumLength += docLength[doc]!;
    if (docLength[doc]! > maxLength) maxLength = docLength[doc]!;
  }
  return {
    records,
    docs: docLength.length,
    maxLength,
    sumLength,
    // A record whose first doc has its own number, and a doc whose record has its own: only where all have one can both be said of all.
    singlePassages: docRecord.length === docStart.length - 1 && holdsSameBytes(docRecord, docStart.subarray(0, -1)),
    alwaysCurrent:
      holdsOneValue(superseded, 0) && holdsOneValue(validFrom, -Infinity) && holdsOneValue(validUntil, Infinity),
    complete: !scales.includes(0),
    kindsHeld: listKinds(kind),
    lastId: records === 0 ? '' : idAt({ ids }, records - 1),
  };
}

function listKinds(kinds: Uint8Array): number[] {
  if (kinds.length > 0 && holdsOneValue(kinds, kinds[0]!)) return [kinds[0]!];
  const held = new Uint8Array(256);
  for (let record = 0; record < kinds.length; record++) held[kinds[record]!] = 1;
  return [...held.keys()].filter((code) => held[code] === 1);
}
