import { toIsoOrNull } from '../../model/instant.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showWords } from '../show-table.ts';
import { withAccounts } from '../with-accounts.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const [team, cursor, limit] = [args.text('team'), args.text('cursor'), args.number('limit', { min: 1, max: 500 })];
  const page = await withAccounts(context, ({ accounts, asker }) =>
    accounts.listAudit(asker, {
      ...(team === undefined ? {} : { team }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit }),
    }),
  );
  if (json) {
    const entries = page.items.map(({ seq, at, actor, op, subject, teamId }) => ({
      seq,
      at: toIsoOrNull(at),
      actor,
      op,
      subject,
      team_id: teamId,
    }));
    terminal.printJson({ entries, cursor: page.cursor });
    return EXIT.ok;
  }
  if (page.items.length === 0) terminal.note('Nothing has been changed about people, teams or tokens.');
  else {
    const rows = page.items.map(({ at, actor, op, subject }) => [showTime(at), safeLine(actor), op, safeLine(subject)]);
    showWords(['WHEN', 'WHO', 'WHAT', 'TO'], rows, terminal);
  }
  if (page.cursor !== null) terminal.note(`More: \`ltm audit --cursor ${page.cursor}\`.`);
  return EXIT.ok;
}
