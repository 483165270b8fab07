import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showWords } from '../show-table.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const page = await (await client()).listAudit({
    team: args.text('team'),
    cursor: args.text('cursor'),
    limit: args.number('limit', { min: 1, max: 500 }),
  });
  if (json) {
    terminal.printJson(toWire(page));
    return EXIT.ok;
  }
  const { entries, cursor } = page;
  if (entries.length === 0) terminal.note('Nothing has been changed about people, teams or tokens.');
  else {
    const rows = entries.map(({ at, actor, op, subject }) => [showTime(at), safeLine(actor), op, safeLine(subject)]);
    showWords(['WHEN', 'WHO', 'WHAT', 'TO'], rows, terminal);
  }
  if (cursor !== null) terminal.note(`More: \`ltm audit --cursor ${cursor}\`.`);
  return EXIT.ok;
}
