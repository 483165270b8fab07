import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type ExportInput, exportRecords } from '../../verbs/exchange/exchange-records.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { safeJson } from '../safe-text.ts';
import { showCount } from '../show-age.ts';
import { type OutputStream, writeAll } from '../terminal.ts';
import { readFilterFlags } from '../verb-command.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const file = args.words[0] ?? '-';
  const lines = await (await client()).exportRecords({
    ...readFilterFlags<ExportInput>(exportRecords, args),
    includeDeleted: args.isOn('include-deleted'),
    includeVersions: !args.isOn('no-versions'),
  });
  const progress = createProgress(terminal, args.isOn('quiet'));
  let count = 0;
  const write = async (stream: OutputStream): Promise<void> => {
    for await (const line of lines) {
      await writeAll(stream, `${terminal.showsToPerson ? safeJson(line) : line}\n`);
      count += 1;
      if (file !== '-') progress.show('exporting', count, 0);
    }
  };
  if (file === '-') await write(terminal.streams.stdout);
  else await writeWhole(file, write);
  progress.end();
  if (json && file !== '-') terminal.printJson({ file, lines: count });
  else terminal.note(`Exported ${showCount(count, 'line')}${file === '-' ? '' : ` to ${file}`}.`);
  return EXIT.ok;
}

/** The file appears when it is complete, readable by its owner alone; a failed export leaves what was there. */
async function writeWhole(file: string, write: (stream: OutputStream) => Promise<void>): Promise<void> {
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
