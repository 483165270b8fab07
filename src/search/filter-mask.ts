import type { RecordFilter } from '../model/filter.ts';
import type { Instant } from '../model/ids.ts';
import { TRUST_CODES, TRUST_TIERS, type Trust } from '../model/record.ts';
import type { Columns } from './index/columns.ts';
import type { Part } from './index/part.ts';
import type { KindCodes } from './ports.ts';

/** A filter in the words of the index: kinds by their codes. */
export interface IndexFilter extends Omit<RecordFilter, 'kinds'> {
  kinds?: never;
  kindCodes?: readonly number[];
}

export function toIndexFilter(table: KindCodes, { kinds, ...filter }: RecordFilter): IndexFilter {
  return { ...filter, kindCodes: kinds?.map((kind) => table.need(kind).code) };
}

/** The codes of the tiers that are believed at least as much, whatever numbers those are. */
export function trustedFrom<Tier extends string = Trust>(
  lowest: Tier,
  tiers: readonly Tier[],
  codes: Readonly<Record<Tier, number>>,
): number[] {
  return tiers.slice(tiers.indexOf(lowest)).map((tier) => codes[tier]);
}

/** 1 for each live record that passes, or null where all do. `now` is when validFrom and validUntil are judged, unless the filter says. */
export function maskRecords(part: Part, filter: IndexFilter, now: Instant): Uint8Array | null {
  const { columns } = part;
  const { sieves, others } = chooseSieves(columns, filter);
  const tests = [...testIds(part, filter), ...makeTests(columns, others, now)];
  const nothingDead = part.liveRecords === columns.recordCount;
  if (tests.length === 0 && sieves.length === 0 && nothingDead) return null;
  const mask = new Uint8Array(columns.recordCount);
  for (let record = 0; record < mask.length; record++) mask[record] = 1 - part.deadRecords[record]!;
  for (const sieve of sieves) sieve(mask);
  for (const test of tests)
    for (let record = 0; record < mask.length; record++) if (mask[record] === 1 && !test(record)) mask[record] = 0;
  return mask;
}

type Sieve = (mask: Uint8Array) => void;

/** What is asked for most is judged in loops of its own, which take a fifth of the time. */
function chooseSieves(columns: Columns, filter: IndexFilter): { sieves: Sieve[]; others: IndexFilter } {
  const sieves: Sieve[] = [];
  const others = { ...filter };
  const [kind, ...kinds] = filter.kindCodes ?? [];
  if (kind !== undefined && kinds.length === 0) {
    sieves.push((mask) => keepEqual(mask, columns.kind, kind));
    others.kindCodes = undefined;
  }
  for (const name of ['project', 'workspace', 'agent', 'session', 'conversation'] as const) {
    const text = filter[name];
    if (text === undefined) continue;
    // No code means that no record has it, and no record has this number.
    sieves.push((mask) => keepEqual(mask, columns[name], columns.labels.codeOf(text) || -1));
    others[name] = undefined;
  }
  const [tag, ...tags] = filter.tags ?? [];
  if (tag !== undefined && tags.length === 0) {
    sieves.push((mask) => keepTagged(mask, columns, columns.labels.codeOf(tag) || -1));
    others.tags = undefined;
  }
  return { sieves, others };
}

function keepEqual(mask: Uint8Array, column: Uint8Array | Uint32Array, wanted: number): void {
  for (let record = 0; record < mask.length; record++) if (column[record] !== wanted) mask[record] = 0;
}

function keepTagged(mask: Uint8Array, { tags, tagStart }: Columns, wanted: number): void {
  let i = 0;
  for (let record = 0; record < mask.length; record++) {
    const end = tagStart[record + 1]!;
    let found = 0;
    for (; i < end; i++) if (tags[i] === wanted) found = 1;
    mask[record]! &= found;
  }
}

/** The same for one record after the other, where few are in question. */
export function createRecordTest(part: Part, filter: IndexFilter, now: Instant): (record: number) => boolean {
  const tests = [...testIds(part, filter), ...makeTests(part.columns, filter, now)];
  return (record) => part.deadRecords[record] !== 1 && tests.every((test) => test(record));
}

/** The same for docs. */
export function spreadToDocs(columns: Columns, records: Uint8Array): Uint8Array {
  const mask = new Uint8Array(columns.docCount);
  const { docRecord } = columns;
  for (let doc = 0; doc < mask.length; doc++) mask[doc] = records[docRecord[doc]!]!;
  return mask;
}

type Test = (record: number) => boolean;

/** An empty list means that none passes. */
function testIds(part: Part, { ids }: IndexFilter): Test[] {
  if (ids === undefined) return [];
  const wanted = new Set(ids.map((id) => part.find(id)));
  return [(record) => wanted.has(record)];
}

function makeTests(columns: Columns, filter: IndexFilter, now: Instant): Test[] {
  const tests: Test[] = [];
  const { kindCodes, types, tags, after, before, minTrust } = filter;
  const [code] = kindCodes ?? [];
  // Every search names kinds; where a part holds no others, there is nothing to test.
  const holdsOthers = kindCodes !== undefined && columns.kindsHeld.some((held) => !kindCodes.includes(held));
  if (holdsOthers && kindCodes.length === 1) tests.push(testKind(columns, (held) => held === code));
  else if (holdsOthers && code !== undefined) tests.push(testKind(columns, (held) => kindCodes.includes(held)));
  if (types !== undefined && types.length > 0) {
    const { type, labels } = columns;
    const wanted = new Uint8Array(labels.size);
    for (const each of types) wanted[labels.codeOf(each)] = 1;
    // 0 stands for a type that no record has.
    wanted[0] = 0;
    tests.push((record) => wanted[type[record]!] === 1);
  }
  for (const name of ['project', 'workspace', 'agent', 'session', 'conversation'] as const) {
    const text = filter[name];
    if (text === undefined) continue;
    const [column, wanted] = [columns[name], columns.labels.codeOf(text)];
    tests.push(wanted === 0 ? () => false : (record) => column[record] === wanted);
  }
  if (after !== undefined || before !== undefined) tests.push(...testTimes(columns, { after, before }));
  if (minTrust !== undefined) {
    const { trust } = columns;
    const wanted = trustedFrom(minTrust, TRUST_TIERS, TRUST_CODES);
    tests.push((record) => wanted.includes(trust[record]!));
  }
  if (tags !== undefined && tags.length > 0) tests.push(testTags(columns, tags, filter.tagMatch ?? 'any'));
  if (filter.includeSuperseded !== true && !columns.alwaysCurrent)
    tests.push(testCurrent(columns, filter.validAt ?? now));
  return tests;
}

/** A column is taken only where it is asked for: it may have to be read first. */
function testKind({ kind }: Columns, isWanted: (code: number) => boolean): Test {
  return (record) => isWanted(kind[record]!);
}

function testTimes({ createdAt }: Columns, { after, before }: Pick<IndexFilter, 'after' | 'before'>): Test[] {
  return [
    ...(after === undefined ? [] : [(record: number) => createdAt[record]! >= after]),
    ...(before === undefined ? [] : [(record: number) => createdAt[record]! < before]),
  ];
}

function testTags(columns: Columns, tags: readonly string[], match: 'any' | 'all'): Test {
  const codes = [...new Set(tags)].map((tag) => columns.labels.codeOf(tag));
  if (match === 'all' && codes.includes(0)) return () => false;
  const wanted = new Set(codes);
  const needed = match === 'all' ? wanted.size : 1;
  const { tagStart } = columns;
  const [only = 0] = wanted;
  if (wanted.size === 1) return only === 0 ? () => false : testTag(columns, only);
  return (record) => {
    let found = 0;
    for (let i = tagStart[record]!; i < tagStart[record + 1]! && found < needed; i++)
      if (wanted.has(columns.tags[i]!)) found++;
    return found >= needed;
  };
}

function testTag({ tags, tagStart }: Columns, wanted: number): Test {
  return (record) => {
    const end = tagStart[record + 1]!;
    for (let i = tagStart[record]!; i < end; i++) if (tags[i] === wanted) return true;
    return false;
  };
}

function testCurrent({ superseded, validFrom, validUntil }: Columns, at: Instant): Test {
  return (record) => superseded[record] === 0 && validFrom[record]! <= at && validUntil[record]! > at;
}
