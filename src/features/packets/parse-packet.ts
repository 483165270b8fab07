import { Buffer } from 'node:buffer';
import { isObject } from '../../model/json-text.ts';
import { findSchemaFaults, show } from './find-schema-faults.ts';
import {
  PACKET_MAX_BYTES,
  PACKET_VERSIONS,
  type Packet,
  type PacketFault,
  type PacketVersion,
  type ParsedPacket,
} from './packet.ts';
import { PACKET_SCHEMAS } from './packet-schemas.ts';
import { readPacketTime } from './read-packet-time.ts';

/** 32 kB can hold thousands of unknown fields; nobody reads on after this many. */
const MAX_LISTED = 100;

interface ParseOptions {
  /** How many bytes came, where `raw` is not what came. */
  received?: number | undefined;
  /** Reads what a server keeps: a canonical form may be longer than a packet that comes. */
  anySize?: boolean;
}

/**
 * Reads a packet, or says everything that is wrong with it: size, JSON, version, schema, time, in this order. Of repeated keys the last one counts, whole, before
 * anything is checked; what is valid is exactly what `canonical` holds, and `canonical` is itself a packet, though it may be longer than one that comes may be.
 */
export function parsePacket(raw: Uint8Array | string, options: ParseOptions = {}): ParsedPacket {
  const size = options.received ?? (typeof raw === 'string' ? Buffer.byteLength(raw) : raw.byteLength);
  if (size > PACKET_MAX_BYTES && options.anySize !== true) {
    return invalid(`packet too large: ${size} bytes, the limit is ${PACKET_MAX_BYTES} bytes; whitespace counts`);
  }
  const json = readJson(typeof raw === 'string' ? raw : decodeUtf8(raw));
  if ('problem' in json) return invalid(`invalid json: ${json.problem}`);
  const { value } = json;
  if (!isObject(value)) return invalid('packet must be a JSON object');
  const version = value.ltm_version;
  const supported = PACKET_VERSIONS.join(', ');
  if (typeof version !== 'string' || version === '') {
    return invalid(`missing required field 'ltm_version': a string, one of ${supported}`, '/ltm_version');
  }
  if (!isSupported(version))
    return invalid(`unsupported ltm_version ${show(version)}; supported: ${supported}`, '/ltm_version');
  const faults = findSchemaFaults(PACKET_SCHEMAS[version], value);
  if (faults.length > 0)
    return { outcome: 'invalid', message: describeFaults(faults) + adviseVersion(version, value), faults };
  return finish(json.value as Packet);
}

function finish(checked: Packet): ParsedPacket {
  const time = readPacketTime(checked.created_at);
  if (time === null) {
    const got = show(checked.created_at);
    return invalid(
      `created_at is not an RFC 3339 time such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00.5+01:00: got ${got}`,
      '/created_at',
    );
  }
  const packet = makeWellFormed(orderPacket({ ...checked, created_at: time.canonical }));
  return { outcome: 'valid', packet, canonical: canonicalPacket(packet) };
}

function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (text.trim() === '') return { problem: 'the text is empty' };
    // The parser's own words quote the text, which may hold a secret: only the place is kept.
    const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : '');
    return { problem: place === null ? 'the text ends too early or is not JSON' : `not JSON ${place[0]}` };
  }
}

function makeWellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(makeWellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makeWellFormed(item)])) as T;
}

function isSupported(version: string): version is PacketVersion {
  return (PACKET_VERSIONS as readonly string[]).includes(version);
}

function describeFaults(faults: readonly PacketFault[]): string {
  const lines = faults.slice(0, MAX_LISTED).map(({ pointer, message }) => `- at '${pointer}': ${message}`);
  const more = faults.length > MAX_LISTED ? [`- and ${faults.length - MAX_LISTED} more`] : [];
  return ['schema violation:', ...lines, ...more].join('\n');
}

/** The commonest fault of a packet marked 0.1: it was written as 0.2. */
function adviseVersion(version: PacketVersion, value: object): string {
  const isLater =
    version === '0.1' && findSchemaFaults(PACKET_SCHEMAS['0.2'], { ...value, ltm_version: '0.2' }).length === 0;
  return isLater ? '\nAs version 0.2 it is valid: set ltm_version to "0.2".' : '';
}

function invalid(message: string, pointer = ''): ParsedPacket {
  return { outcome: 'invalid', message, faults: [{ pointer, message }] };
}

/**
 * The one byte form of a packet: two blanks of indent, no newline at the end, keys in a fixed order, empty optional strings and lists and `locked: false` left out,
 * `<`, `>`, `&` and the two line separators as \u escapes. Two servers that store the same packet give out the same bytes.
 */
export function canonicalPacket(packet: Packet): string {
  return JSON.stringify(orderPacket(packet), null, 2).replace(/[<>&\u2028\u2029]/g, escapeCharacter);
}

/** The same packet with its keys in canonical order and without what is empty. */
function orderPacket(packet: Packet): Packet {
  const { decisions, methods, attempts, project, provenance } = packet;
  return dropEmpty({
    ltm_version: packet.ltm_version,
    id: packet.id,
    parent_id: packet.parent_id,
    created_at: packet.created_at,
    project: project && dropEmpty({ name: project.name, ref: project.ref }),
    goal: packet.goal,
    success_criteria: packet.success_criteria,
    constraints: packet.constraints,
    decisions: decisions?.map(({ what, why, consequences, locked }) => ({
      what,
      why,
      ...dropEmpty({ consequences, locked }),
    })),
    methods: methods?.map(({ name, when_applicable, how }) => ({ name, when_applicable, how })),
    attempts: attempts?.map(({ tried, outcome, learned, confidence }) => ({
      tried,
      outcome,
      ...dropEmpty({ learned, confidence }),
    })),
    open_questions: packet.open_questions,
    next_step: packet.next_step,
    tags: packet.tags,
    provenance:
      provenance &&
      dropEmpty({
        author_model: provenance.author_model,
        author_human: provenance.author_human,
        source_hash: provenance.source_hash,
        confidence: provenance.confidence,
      }),
  }) as Packet;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function dropEmpty<T extends object>(fields: T): Partial<Present<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<Present<T>>;
}

/** An empty object stays: it says that the field was there. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** UTF-8 to text; each byte that is not part of a character becomes one U+FFFD, which is not what TextDecoder does with a sequence that is cut short. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeByHand(bytes);
  }
}

function decodeByHand(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes[i]!);
    const character = length === 0 ? null : tryDecode(strict, bytes.subarray(i, i + length));
    text += character ?? '\ufffd';
    i += character === null ? 1 : length;
  }
  return text;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function tryDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null; // cut short or not UTF-8: the caller writes U+FFFD for the first byte
  }
}
