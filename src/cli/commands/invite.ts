import { toIsoSeconds } from '../../model/instant.ts';
import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const team = args.text('team');
  if (team === undefined)
    throw new UsageError('`ltm invite` needs a team: --team NAME.', '`ltm teams ls` shows your teams.');
  const invite = await (await client()).createInvite({ team });
  if (json) {
    terminal.printJson(toWire(invite));
    return EXIT.ok;
  }
  terminal.print(safeLine(invite.url));
  terminal.note(`expires: ${toIsoSeconds(invite.expiresAt)}`);
  return EXIT.ok;
}
