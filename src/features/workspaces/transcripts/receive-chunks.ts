import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { EngineSettings } from '../../../engine/engine-settings.ts';
import { makeChunk, unpackChunk, unpackGiven } from '../../../engine/pieces/pack-chunk.ts';
import type { Caller } from '../../../model/caller.ts';
import { type Chunk, pointerName, scrubbedName } from '../../../model/chunk.ts';
import { MOST_CHUNK_BYTES } from '../../../model/cut-chunks.ts';
import { EngineError } from '../../../model/errors.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { lateFunctions } from '../../../model/late.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { needWritable } from '../find-workspace.ts';
import { bodyOf } from '../workspace-kind.ts';

const { redactLines } = lateFunctions(() => import('../../../privacy/redact-lines.ts'), 'redactLines');

/** Bytes that are gathered before they are written. */
const GATHERED_BYTES = 2 << 20;
const SHA256 = /^[0-9a-f]{64}$/;

export interface ReceivedChunks {
  received: number;
  /** Secrets that were replaced. */
  redacted: number;
}

/**
 * Takes pieces in as they come, one at a time in memory: a first line with the write token, then a line for each piece. What is there already does no
 * harm, so an upload that broke off is simply sent again.
 */
export async function uploadChunks(
  parts: EngineParts,
  caller: Caller,
  { workspace, lines }: { workspace: string; lines: AsyncIterable<string> },
): Promise<ReceivedChunks> {
  let taker: ChunkTaker | null = null;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (!isObject(value)) throw unreadable('A line is no JSON object.');
    if (taker === null) {
      const writeToken = typeof value.write_token === 'string' ? value.write_token : undefined;
      taker = createTaker(parts, caller, await needWritable(parts, caller, { workspace, writeToken }));
    } else await taker.take(readLine(value));
  }
  if (taker === null) throw unreadable('The upload is empty.');
  return taker.end();
}

function unreadable(message: string): EngineError {
  return new EngineError('invalid_input', message, {
    hint: 'Send JSON lines: first {"write_token": …}, then {"sha256": …, "data": …} for each piece.',
  });
}

interface GivenChunk {
  sha256: string;
  /** The piece that these bytes are added to. */
  base: string | null;
  packed: Buffer;
}

function readLine({ sha256, base = null, data }: Readonly<Record<string, unknown>>): GivenChunk {
  const isSound = typeof sha256 === 'string' && SHA256.test(sha256) && typeof data === 'string';
  if (!isSound || (base !== null && (typeof base !== 'string' || !SHA256.test(base))))
    throw unreadable('A piece does not say what it is.');
  return { sha256, base, packed: Buffer.from(data, 'base64') };
}

/** Whether secrets in what comes into this workspace are replaced. */
export function replacesSecrets({ settings }: { settings: EngineSettings }, place: StoredRecord): boolean {
  return bodyOf(place).redact && settings.redact === 'replace';
}

interface ChunkTaker {
  take(given: GivenChunk): Promise<void>;
  /** Bytes as they are, cut already. */
  takeBytes(bytes: Buffer): Promise<string>;
  end(): Promise<ReceivedChunks>;
}

/** Writes pieces into a workspace, without their secrets where these are to be replaced. */
export function createTaker(parts: EngineParts, { space }: Caller, place: StoredRecord): ChunkTaker {
  const redacts = replacesSecrets(parts, place);
  let waiting: Chunk[] = [];
  let bytes = 0;
  const report: ReceivedChunks = { received: 0, redacted: 0 };
  const flush = async (): Promise<void> => {
    const put = waiting;
    waiting = [];
    bytes = 0;
    if (put.length > 0) await parts.store.chunks.put(space, put, parts.clock.now());
  };
  const takeBytes = async (raw: Buffer): Promise<string> => {
    const { bytes: clean, replaced } = redacts ? await redactLines(raw) : { bytes: raw, replaced: 0 };
    const sent = sha256Of(raw);
    if (!redacts && (await parts.store.chunks.find(space, [scrubbedName(sent)])).length > 0) return sent;
    report.received++;
    report.redacted += replaced;
    const chunk = await makeChunk(clean, redacts);
    waiting.push(chunk);
    if (replaced > 0)
      waiting.push({ ...chunk, sha256: pointerName(sent), alias: chunk.sha256, packed: new Uint8Array(0) });
    bytes += chunk.packed.length;
    if (bytes > GATHERED_BYTES) await flush();
    return sent;
  };
  return {
    takeBytes,
    async take({ sha256, base, packed }) {
      const given = await unpackGiven(packed);
      const whole = base === null ? given : Buffer.concat([await readBase(base), given]);
      if (whole.length > MOST_CHUNK_BYTES || sha256Of(whole) !== sha256)
        throw new EngineError('invalid_input', 'A piece is not what its hash says.', { details: { sha256 } });
      await takeBytes(whole);
    },
    async end() {
      await flush();
      return report;
    },
  };

  async function readBase(name: string): Promise<Buffer> {
    await flush();
    const [facts] = await parts.store.chunks.find(space, [name]);
    if (facts === undefined || facts.alias !== null || (redacts && !facts.clean))
      throw new EngineError('conflict', 'The piece that another is added to is not here.', {
        hint: 'Send it whole.',
        details: { base: name },
      });
    return unpackChunk((await parts.store.chunks.read(space, [name]))[0]!);
  }
}
