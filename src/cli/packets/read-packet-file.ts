import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Streams } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** The bytes of a file, or of stdin for `-`, as they are. */
export async function readPacketFile(file: string, { stdin }: Streams): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new Uint8Array(await buffer(stdin));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The file "${file}" cannot be read (${code ?? 'unknown'}).`,
      '`ltm example` prints a packet to start from.',
    );
  }
}
