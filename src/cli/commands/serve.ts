import { showLocation } from '../../model/show-location.ts';
import { batchWrites } from '../../server/batch-writes.ts';
import { loadConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { type StartOptions, startServer } from '../../server/start-server.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const PARENT_CHECK_MS = 1000;

export async function run(context: CommandContext): Promise<number> {
  return serveUntilStopped(context, { createToken: context.args.isOn('create-token') });
}

export async function serveUntilStopped(
  { terminal, json, sources, env }: Pick<CommandContext, 'terminal' | 'json' | 'sources' | 'env'>,
  options: StartOptions,
): Promise<number> {
  const config = loadConfig(sources);
  const server = await startServer(config, createLog(config.logLevel, batchWrites(process.stderr)), options);
  const { url } = server;
  const token = options.onlyWithTokens === true ? { value: null, file: null } : server.token;
  const end = Promise.race([waitForSignal(), ...(env.npm_lifecycle_event === undefined ? [] : [waitForOrphaning()])]);
  if (json)
    terminal.printJson({
      url,
      mcp_url: `${url}/mcp`,
      database: showLocation(config.db),
      token: token.value,
      token_file: token.file,
    });
  else showStart({ url, database: showLocation(config.db), token }, terminal);
  await end;
  await server.close();
  return EXIT.ok;
}

/** The first one asks for an orderly end; a second one does not wait for it. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(EXIT.interrupted));
        resolve();
      });
    }
  });
}

/** npm passes a signal to its shell, which dies of it without passing it on: without this, a stopped `npm start` would leave the server behind. */
function waitForOrphaning(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, PARENT_CHECK_MS);
    timer.unref();
  });
}

interface Started {
  url: string;
  database: string;
  /** `file` null: the tokens that there are were made on purpose, and are not kept in a file. */
  token: { value: string | null; file: string | null };
}

function showStart({ url, database, token }: Started, { print, paint }: Terminal): void {
  const row = (name: string, value: string): void => print(`  ${paint('dim', name.padEnd(9))} ${value}`);
  print(`ltm is listening on ${paint('bold', url)}\n`);
  row('MCP', `${url}/mcp`);
  row('REST', `${url}/api/v1`);
  row('database', database);
  if (token.file === null) row('tokens', '`ltm server issue-token NAME` makes one more');
  else
    row(
      'token',
      token.value === null
        ? `in ${token.file}`
        : `${paint('bold', token.value)}  (shown this once; kept in ${token.file})`,
    );
  print('\nConnect Claude Code:');
  print(
    `  claude mcp add -t http -s user ltm ${url}/mcp -H "Authorization: Bearer ${token.file === null ? '$TOKEN' : `$(cat '${token.file}')`}"`,
  );
  print('\nStop with Ctrl-C.');
}
