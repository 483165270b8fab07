import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { Engine } from '../../src/engine/engine.ts';
import { createCutter } from '../../src/model/cut-chunks.ts';
import { makeCaller } from '../open-test-engine.ts';

export const program = makeCaller('rest');
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export function cut(text: string): Buffer[] {
  const cutter = createCutter();
  return [...cutter.push(Buffer.from(text)), ...cutter.end()].map(({ bytes }) => bytes);
}

export async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const LAPTOP = { machine: 'm', tool: 't', project: 'p' };

/** A workspace, and what its machine does with it. */
export async function openPlace(engine: Engine) {
  const { workspaceId: workspace, writeToken } = await engine.registerWorkspace(program, {
    ...LAPTOP,
    wantsToken: true,
  });
  const ref = { workspace, writeToken };
  /** As the client does it; says how many bytes of text had to be sent. */
  const send = async (session: string, text: string): Promise<{ status: string; sent: number }> => {
    const pieces = cut(text);
    const chunks = pieces.map((piece) => sha256(piece));
    const { missing, open } = await engine.planTranscript(program, { ...ref, session, chunks });
    let sent = 0;
    const lines = [JSON.stringify({ write_token: writeToken })];
    for (const [i, piece] of pieces.entries()) {
      if (!missing.includes(chunks[i]!)) continue;
      const grows = open?.index === i && sha256(piece.subarray(0, open.bytes)) === open.sha256;
      const data = grows ? piece.subarray(open.bytes) : piece;
      sent += data.length;
      const packed = zstdCompressSync(data).toString('base64');
      lines.push(JSON.stringify({ sha256: chunks[i], ...(grows && { base: open.sha256 }), data: packed }));
    }
    if (lines.length > 1) await engine.uploadChunks(program, { workspace, lines: each(lines) });
    const { status } = await engine.finishTranscript(program, { ...ref, session, chunks });
    return { status, sent };
  };
  const read = async (session: string): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.readTranscriptBytes(program, { workspace, session })) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  return { workspace, ref, send, read };
}
