import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callForJson, pathSegment } from '../packets/call-host.ts';
import { openHost } from '../packets/open-host.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const team = args.text('team');
  if (team === undefined)
    throw new UsageError('`ltm invite` needs a team: --team NAME.', '`ltm teams ls` shows your teams.');
  const path = `/v1/teams/${pathSegment(team)}/invites`;
  const answer = await callForJson<{ url: string; expires_at: string }>(await openHost(context), path, {
    method: 'POST',
  });
  if (json) {
    terminal.printJson(answer);
    return EXIT.ok;
  }
  terminal.print(safeLine(answer.url));
  terminal.note(`expires: ${safeLine(answer.expires_at)}`);
  return EXIT.ok;
}
