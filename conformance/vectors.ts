import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A packet to send, in one of three forms; `padTo` adds blanks at the end until the text has that many bytes. */
export type VectorInput = { padTo?: number } & ({ packet: unknown } | { text: string } | { hex: string });

export interface Vector {
  name: string;
  /** The row of the parity list, or the defect, that it stands for. */
  row: string;
  input: VectorInput;
  expect: {
    outcome: 'accepted' | 'rejected' | 'redacted';
    /** Each must be in the error text, in any case. */
    says?: string[];
    /** The stored bytes. */
    canonical?: string;
    /** `field/kind` of every finding, in any order. */
    findings?: string[];
  };
}

export interface VectorFile {
  about: string;
  /** Packets that the vectors build on. */
  bases?: Record<string, unknown>;
  vectors: Vector[];
}

const FOLDER = join(import.meta.dirname, 'vectors');

export function readVectors(): Vector[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readFile(join(FOLDER, name)));
}

function readFile(path: string): Vector[] {
  const { bases = {}, vectors } = JSON.parse(readFileSync(path, 'utf8')) as VectorFile;
  return vectors.map((vector) => ({
    ...vector,
    input: expandInput(vector.input, bases),
    expect: expand(vector.expect, bases) as Vector['expect'],
  }));
}

function expandInput(input: VectorInput, bases: Record<string, unknown>): VectorInput {
  return expand(input, bases) as VectorInput;
}

/**
 * `{"$repeat": [text, n]}` is a text n times; `{"$items": [value, n]}` a list of n; `{"$join": [text…]}` one text, so that no file holds a whole secret;
 * `{"$base": name, "set": {…}, "remove": [field…]}` a base packet with changes.
 */
function expand(value: unknown, bases: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => expand(item, bases));
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Record<string, unknown>;
  if (Array.isArray(node.$repeat)) return String(node.$repeat[0]).repeat(Number(node.$repeat[1]));
  if (Array.isArray(node.$items))
    return Array.from({ length: Number(node.$items[1]) }, () => expand((node.$items as unknown[])[0], bases));
  if (Array.isArray(node.$join)) return node.$join.map((part) => expand(part, bases)).join('');
  if (typeof node.$base === 'string') return change(node, bases);
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, expand(item, bases)]));
}

function change(node: Record<string, unknown>, bases: Record<string, unknown>): unknown {
  const changed = {
    ...(expand(bases[String(node.$base)], bases) as object),
    ...(expand(node.set ?? {}, bases) as object),
  };
  const removed = (node.remove ?? []) as string[];
  return Object.fromEntries(Object.entries(changed).filter(([key]) => !removed.includes(key)));
}

export function toBytes(input: VectorInput): Uint8Array {
  const bytes =
    'hex' in input
      ? Buffer.from(input.hex, 'hex')
      : Buffer.from('text' in input ? input.text : JSON.stringify(input.packet));
  return input.padTo === undefined
    ? bytes
    : Buffer.concat([bytes, Buffer.alloc(Math.max(0, input.padTo - bytes.length), ' ')]);
}
