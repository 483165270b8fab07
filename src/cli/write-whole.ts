import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { OutputStream } from './terminal.ts';

/** The file appears when it is complete, readable by its owner alone; a failed export leaves what was there. */
export async function writeWhole(file: string, write: (stream: OutputStream) => Promise<void>): Promise<void> {
  const draft = `${file}.part`;
  const stream = createWriteStream(draft, { mode: 0o600, flush: true });
  const opened = new Promise<void>((resolve, reject) => stream.once('open', () => resolve()).once('error', reject));
  try {
    await opened;
    await write(stream);
    await new Promise<void>((resolve, reject) => stream.once('error', reject).end(() => resolve()));
    await rename(draft, file);
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}
