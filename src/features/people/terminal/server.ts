import type { CommandContext, Ending } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { OWNER_USER } from '../../../model/caller.ts';
import { showLocation } from '../../../model/show-location.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { distribute, isolate } from './server-distribute.ts';
import { roles } from './server-roles.ts';
import { issueToken } from './tokens.ts';

export function server(context: CommandContext): Ending {
  const [verb, name, ...more] = context.args.words;
  if (verb === undefined) return context.program.serve(withAddress(context), { onlyWithTokens: true });
  if (verb === 'issue-token' && more.length === 0) return issueToken(context, name, 'ltm server issue-token');
  if (verb === 'init' && name === undefined) return init(context);
  if (verb === 'roles' && name === undefined) return roles(context);
  if (verb === 'distribute' && name === undefined) return distribute(context);
  if (verb === 'isolate' && more.length === 0) return isolate(context, name);
  throw new UsageError(
    `\`ltm server\` got an unexpected argument: "${safeLine(more[0] ?? name ?? verb)}".`,
    'Try `ltm help server`.',
  );
}

/** Again on the same database: the same owner, another token. */
async function init({ terminal, answer, client, sources }: CommandContext): Promise<void> {
  const verbs = await client();
  const { user } = await verbs.addUser({ id: OWNER_USER });
  const { value } = await verbs.createToken({ name: 'server-init', scopes: ['read', 'write', 'admin'] });
  const database = showLocation(loadConfigOnce(sources).db);
  answer({ token: value, userId: user.id, database }, () => {
    terminal.print(value);
    terminal.note(
      `This is the owner's token. It is shown only once and has all rights. The database is ${safeLine(database)}.`,
    );
    terminal.note('Start with `ltm server`, then sign in from your machine with `ltm auth http://HOST:PORT TOKEN`.');
    terminal.note('Tokens for other machines and people: `ltm server issue-token NAME`.');
  });
}

/** `:8080` listens on every address, as servers take it. */
function withAddress(context: CommandContext): CommandContext {
  const address = context.args.text('addr');
  if (address === undefined) return context;
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(address.trim()) ?? [];
  if (host === undefined)
    throw new UsageError(
      `--addr is "${address}", but must be HOST:PORT or :PORT.`,
      'For example --addr 127.0.0.1:8000.',
    );
  const flags = { ...context.sources.flags, host: host === '' ? '0.0.0.0' : host, port };
  return { ...context, sources: { ...context.sources, flags } };
}
