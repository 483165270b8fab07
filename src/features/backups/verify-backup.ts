import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import type { Config } from '../../settings/config.ts';
import type { Engines } from '../../verbs/machine.ts';
import type { ExamineReport } from '../maintenance/examine.ts';
import { type Backup, folderOf } from './backup-folder.ts';
import { decompressFile, sumFile } from './compress-file.ts';

type OnProgress = (step: string, done: number, total: number) => void;

export interface Verified {
  backup: Backup;
  report: ExamineReport;
  /** The database of the backup, unpacked; gone after `close`. */
  copy: string;
  close(): void;
}

/** Unpacks it beside itself and looks at all of it, as doctor does. Fails where the file is not the one that was written; what doctor finds is in the report. */
export async function verifyBackup(
  machine: Engines,
  config: Config,
  { backup, onProgress }: { backup: Backup; onProgress: OnProgress },
): Promise<Verified> {
  onProgress('reading', 0, backup.bytes);
  const { sha256 } = await sumFile(backup.path);
  if (sha256 !== backup.sha256)
    throw new EngineError(
      'storage_damaged',
      `${backup.path} is damaged: its checksum is not the one noted beside it.`,
      {
        hint: 'Choose another backup; `ltm backup list` shows them. Nothing was changed.',
      },
    );
  const work = makeWorkFolder(folderOf(backup));
  const close = (): void => rmSync(work, { recursive: true, force: true });
  try {
    const copy = join(work, 'copy.db');
    const onBytes = (done: number, total: number): void => onProgress('unpacking', done, total);
    await decompressFile(backup.path, copy, { most: backup.plainBytes, onBytes });
    const { engine, caller } = await machine.openSession({ ...config, db: copy }, 'job');
    try {
      return { backup, report: await engine.examine(caller, { onProgress }), copy, close };
    } finally {
      await engine.close();
    }
  } catch (error) {
    close();
    throw error;
  }
}

/** There is room for a backup where backups are; a folder that may only be read has none. */
function makeWorkFolder(folder: string): string {
  try {
    return mkdtempSync(join(folder, '.ltm-part-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'ltm-part-'));
  }
}
