import type { Kind } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import type { Json } from '../../model/json.ts';
import { hashContent, type RecordContent } from '../../model/record.ts';
import { readTags } from '../../model/tags.ts';
import { toObservation } from './observation.ts';
import { splitSentences } from './split-sentences.ts';

/** What of a tool's input and output is found by its words. */
const FOUND_INPUT_CHARS = 1000;
const FOUND_OUTPUT_CHARS = 500;

/** Secrets in it are replaced, as in memories: an event cannot be sent back to be corrected. */
export const observationKind: Kind = {
  name: 'observation',
  plural: 'observations',
  staysHere: true,
  code: 2,
  ownVerbs: ['store', 'update'],
  isFoundByNameOnly: true,
  keptDays: ({ keepObservationsDays }) => keepObservationsDays,
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const content = composeContent(record);
    const { number = '', concepts = [] } = record.body;
    const tags = readTags(concepts as string[]);
    return { ...record, key: String(number), content, contentHash: hashContent(content), tags };
  },
  findFaults: ({ body: { number } }) =>
    Number.isSafeInteger(number) && Number(number) > 0 ? [] : ['its number is not a whole number above 0'],
  numberOf: ({ body: { number } }) => Number(number),
  renumber: (content, number) => observationKind.derive({ ...content, body: { ...content.body, number } }),
  listNotes(record) {
    const { text, summary } = toObservation(record);
    const said = text === '' ? [summary] : splitSentences(text);
    return said.map((one) => ({ about: 'other', text: one, isDated: true }));
  },
  madeInto: ({ session }) => (session === null ? [] : [sessionRecordId(session)]),
  describeHit: ({ body, session }) => ({
    number: body.number ?? null,
    tool: body.tool ?? null,
    summary: body.summary ?? '',
    files: body.files ?? [],
    session,
  }),
};

function composeContent({ title, body }: RecordContent): string {
  const { summary = '', files = [], concepts = [], text = '', input = '', output = '' } = body;
  const lines = [
    title ?? '',
    summary === title ? '' : summary,
    (files as string[]).join(' '),
    (concepts as string[]).join(' '),
    text,
    wordsOf(String(input)).slice(0, FOUND_INPUT_CHARS),
    String(output).slice(0, FOUND_OUTPUT_CHARS),
  ];
  return lines
    .map((line) => String(line).trim())
    .filter((line) => line !== '')
    .join('\n')
    .toWellFormed();
}

/** The texts in a tool's input, without the JSON around them. */
function wordsOf(input: string): string {
  try {
    return listTexts(JSON.parse(input) as Json).join('\n');
  } catch {
    // It was cut: the beginning is there, with its punctuation.
    return input;
  }
}

function listTexts(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(listTexts);
}

/** Made of the event's key, so that a space has each event once, and none again that was purged: 100 bits of its SHA-256. */
export function observationId(eventKey: string): RecordId {
  return deriveId('observation', eventKey);
}

export function sessionRecordId(session: string): RecordId {
  return deriveId('session', session);
}

function deriveId(kind: string, name: string): RecordId {
  return derivedRecordId(`${kind}\n${name}`);
}
