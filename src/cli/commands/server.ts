import { OWNER_USER } from '../../model/caller.ts';
import { showLocation } from '../../model/show-location.ts';
import { loadConfig } from '../../server/config.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { issueToken } from '../issue-token.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';
import { serveUntilStopped } from './serve.ts';

export async function run(context: CommandContext): Promise<number> {
  const [verb, name, ...more] = context.args.words;
  if (verb === undefined) return serveUntilStopped(withAddress(context), { onlyWithTokens: true });
  if (verb === 'issue-token' && more.length === 0) return issueToken(context, name, 'ltm server issue-token');
  if (verb === 'init' && name === undefined) return init(context);
  if (verb === 'distribute' && name === undefined) return (await import('./server-distribute.ts')).distribute(context);
  if (verb === 'isolate' && more.length === 0) return (await import('./server-distribute.ts')).isolate(context, name);
  throw new UsageError(
    `\`ltm server\` got an unexpected argument: "${safeLine(more[0] ?? name ?? verb)}".`,
    'Try `ltm help server`.',
  );
}

/** Again on the same database: the same owner, another token. */
async function init({ terminal, json, client, sources }: CommandContext): Promise<number> {
  const verbs = await client();
  const { user } = await verbs.addUser({ id: OWNER_USER });
  const { value } = await verbs.createToken({ name: 'server-init', scopes: ['read', 'write', 'admin'] });
  const database = showLocation(loadConfig(sources).db);
  if (json) terminal.printJson({ token: value, user_id: user.id, database });
  else {
    terminal.print(value);
    terminal.note(
      `This token, shown this once, is the owner's: it may do everything. The database is ${safeLine(database)}.`,
    );
    terminal.note('Start with `ltm server`, then sign in from your machine with `ltm auth http://HOST:PORT TOKEN`.');
    terminal.note('Tokens for other machines and people: `ltm server issue-token NAME`.');
  }
  return EXIT.ok;
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
