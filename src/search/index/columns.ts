import { RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';
import { seek } from './seek.ts';
import type { ColumnName, Sections } from './segment-format.ts';

/** Labels as small numbers. 0 stands for "no label"; codes mean something only within one part of the index. */
export interface Labels {
  /** One more than the highest code. */
  size: number;
  /** 0 where no record of this part has the label. */
  codeOf(text: string): number;
  textOf(code: number): string;
}

/** What ranking and filters want to know of records and their passages ("docs"), one typed array for each fact. */
export interface Columns extends Pick<Sections, ColumnName> {
  recordCount: number;
  docCount: number;
  /** Longest passage, in words. */
  maxLength: number;
  /** Every record has exactly one doc, of its own number. */
  singlePassages: boolean;
  /** No record is superseded or valid for a time only. */
  alwaysCurrent: boolean;
  /** The codes of the kinds of which it holds records, or held some. */
  kindsHeld: readonly number[];
  labels: Labels;
}

export const MAX_DOC_LENGTH = 65_535;
export const CODED_LABELS = ['type', 'project', 'workspace', 'agent', 'session', 'conversation', 'speaker'] as const;

export function idAt(columns: Pick<Columns, 'ids'>, record: number): RecordId {
  const { ids } = columns;
  return Buffer.from(ids.buffer, ids.byteOffset + record * RECORD_ID_LENGTH, RECORD_ID_LENGTH).toString('latin1');
}

/** Compares ids where they lie, as their text would compare. */
export function compareIds(a: Uint8Array, i: number, b: Uint8Array, j: number): number {
  const left = i * RECORD_ID_LENGTH;
  const right = j * RECORD_ID_LENGTH;
  for (let k = 0; k < RECORD_ID_LENGTH; k++) {
    const difference = a[left + k]! - b[right + k]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

export function encodeIds(ids: readonly RecordId[]): Uint8Array {
  const bytes = new Uint8Array(ids.length * RECORD_ID_LENGTH);
  const target = Buffer.from(bytes.buffer);
  for (let i = 0; i < ids.length; i++) target.write(ids[i]!, i * RECORD_ID_LENGTH, 'latin1');
  return bytes;
}

/** Where an id stands among sorted ones, from `from` on, or where it would stand. */
export function seekId(
  sorted: Uint8Array,
  from: number,
  wanted: Uint8Array,
  at: number,
): { index: number; found: boolean } {
  const count = sorted.length / RECORD_ID_LENGTH;
  const index = seek(count, (place) => compareIds(sorted, place, wanted, at) < 0, from);
  return { index, found: index < count && compareIds(sorted, index, wanted, at) === 0 };
}
