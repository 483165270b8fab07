import { Buffer } from 'node:buffer';
import {
  PACKET_MAX_BYTES,
  PACKET_VERSIONS,
  type Packet,
  type PacketFault,
  type PacketVersion,
  type ParsedPacket,
} from '../../model/packet.ts';
import { canonicalPacket, orderPacket } from './canonical-packet.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { findSchemaFaults, show } from './find-schema-faults.ts';
import { PACKET_SCHEMAS } from './packet-schemas.ts';
import { readPacketTime } from './read-packet-time.ts';

/** 32 kB can hold thousands of unknown fields; nobody reads on after this many. */
const MAX_LISTED = 100;

export interface ParseOptions {
  /** Reads a packet that another server keeps although its canonical form is over the limit. Never for a packet to be stored. */
  anySize?: boolean;
}

/**
 * Reads a packet, or says everything that is wrong with it: size, JSON, version, schema, time, in this order. Of repeated keys the last one counts, whole, before
 * anything is checked; what is valid is exactly what `canonical` holds, and `canonical` is itself a valid packet.
 */
export function parsePacket(raw: Uint8Array | string, options: ParseOptions = {}): ParsedPacket {
  const size = typeof raw === 'string' ? Buffer.byteLength(raw) : raw.byteLength;
  if (size > PACKET_MAX_BYTES && options.anySize !== true) {
    return invalid(`packet too large: ${size} bytes, the limit is ${PACKET_MAX_BYTES} bytes; whitespace counts`);
  }
  const json = readJson(typeof raw === 'string' ? raw : decodeUtf8(raw));
  if ('problem' in json) return invalid(`invalid json: ${json.problem}`);
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid('packet must be a JSON object');
  const version: unknown = 'ltm_version' in value ? value.ltm_version : undefined;
  const supported = PACKET_VERSIONS.join(', ');
  if (typeof version !== 'string' || version === '') {
    return invalid(`missing required field 'ltm_version': a string, one of ${supported}`, '/ltm_version');
  }
  if (!isSupported(version))
    return invalid(`unsupported ltm_version ${show(version)}; supported: ${supported}`, '/ltm_version');
  const faults = findSchemaFaults(PACKET_SCHEMAS[version], value);
  if (faults.length > 0)
    return { outcome: 'invalid', message: describeFaults(faults) + adviseVersion(version, value), faults };
  return finish(value as Packet, options);
}

function finish(checked: Packet, options: ParseOptions): ParsedPacket {
  const time = readPacketTime(checked.created_at);
  if (time === null) {
    const got = show(checked.created_at);
    return invalid(
      `created_at is not an RFC 3339 time such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00.5+01:00: got ${got}`,
      '/created_at',
    );
  }
  const packet = makeWellFormed(orderPacket({ ...checked, created_at: time.canonical }));
  const canonical = canonicalPacket(packet);
  const size = Buffer.byteLength(canonical);
  if (size > PACKET_MAX_BYTES && options.anySize !== true) {
    const cause = `two-space indent, and six bytes for each of < > &, make it ${size} bytes; the limit is ${PACKET_MAX_BYTES} bytes`;
    return invalid(
      `packet too large in its canonical form: ${cause}. Shorten it by ${size - PACKET_MAX_BYTES} bytes or more`,
    );
  }
  return { outcome: 'valid', packet, canonical };
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
