import type { CommandContext } from '../../../cli/command.ts';
import { placeOf } from '../../../cli/machine/setup-place.ts';
import { isServiceRunning, serviceOf } from '../../../cli/machine/setup-service.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { reachOwnServer } from '../../../client/own-server.ts';
import { findRunningServer } from '../../../client/running-server.ts';
import { showLocation } from '../../../model/show-location.ts';
import { VERSION } from '../../../model/version.ts';
import { type Config, loadConfigOnce } from '../../../settings/config.ts';
import type { Check, Checked } from '../../feature.ts';

const ANSWER_MS = 2000;

/** Counting what was captured today takes in what waited, so the spool is looked at afterwards. */
const ORDER = ['today', 'agents', 'spool'];
const SHOWN_ORDER = ['today', 'spool', 'agents'];

interface Status {
  version: string;
  /** The server in use; null: the database of this machine. */
  server: string | null;
  database: string;
  /** Of `ltm serve` on this machine. */
  running: { url: string; pid: number; answers: boolean } | null;
  service: 'running' | 'stopped' | 'none';
  agents: unknown;
  /** Since midnight; null where nobody could be asked. */
  today: unknown;
  spool: unknown;
  problems: Checked['problems'][number][];
}

export async function status(context: CommandContext): Promise<number> {
  const { found, rows } = await readStatus(context);
  context.answer({ ok: found.problems.length === 0, ...found }, () => showStatus(found, rows, context));
  return found.problems.length === 0 ? EXIT.ok : EXIT.failure;
}

async function readStatus(context: CommandContext): Promise<{ found: Status; rows: Checked['rows'] }> {
  const config = loadConfigOnce(context.sources);
  const running = await askRunning(config);
  const place = placeOf(context);
  const isUp = isServiceRunning(serviceOf(context, place), place);
  const checked = new Map<string, Checked>();
  for (const { name, look } of await listChecks(context)) checked.set(name, await look(context, config));
  const problems = [...checked.values()].flatMap((one) => one.problems);
  if (running?.answers === false)
    problems.push({
      message: `\`ltm serve\` (process ${running.pid}) does not answer at ${running.url}.`,
      hint: 'Stop it and start it again. Hooks go on without it.',
    });
  if (isUp === false)
    problems.push({
      message: 'The service is installed but does not run.',
      hint: '`ltm logs` shows why; `ltm setup --service` starts it again.',
    });
  const found: Status = {
    version: VERSION,
    server: await context.server(),
    database: showLocation(config.db),
    running,
    service: isUp === null ? 'none' : isUp ? 'running' : 'stopped',
    agents: [],
    today: null,
    spool: null,
    problems,
  };
  for (const { facts } of checked.values()) Object.assign(found, facts);
  return { found, rows: inOrder([...checked.keys()], SHOWN_ORDER).flatMap((name) => checked.get(name)!.rows) };
}

/** What the features look at. */
async function listChecks({ features }: CommandContext): Promise<readonly Check[]> {
  const checks = (await Promise.all(features.map(({ checks }) => checks?.() ?? []))).flat();
  const names = inOrder(
    checks.map(({ name }) => name),
    ORDER,
  );
  return names.map((name) => checks.find((check) => check.name === name)!);
}

/** Those that are not in the list come last. */
function inOrder(names: readonly string[], order: readonly string[]): readonly string[] {
  return [...order.filter((name) => names.includes(name)), ...names.filter((name) => !order.includes(name))];
}

async function askRunning({ places }: Config): Promise<Status['running']> {
  const found = findRunningServer(places.spool);
  if (found === null) return null;
  const { url, pid } = found;
  const reached = await reachOwnServer(found, ANSWER_MS);
  if (typeof reached === 'string') return { url, pid, answers: false };
  try {
    const { status } = await reached.ask('GET', '/v1/healthz');
    return { url, pid, answers: status === 200 };
  } catch {
    return { url, pid, answers: false };
  } finally {
    reached.close();
  }
}

function showStatus(found: Status, rows: Checked['rows'], { terminal }: CommandContext): void {
  const { print, paint } = terminal;
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  const { running, service, problems } = found;
  row('ltm', found.version);
  if (found.server === null) row('database', found.database);
  else row('uses', found.server);
  row('server', running === null ? 'none runs here, and none is needed' : `${running.url} (process ${running.pid})`);
  if (service !== 'none') row('service', service);
  for (const [name, shown] of rows) row(name, shown);
  for (const { message, hint } of problems)
    print(`${paint('red', 'problem')}    ${safeLine(message)} ${safeLine(hint)}`);
  if (problems.length === 0) print(paint('green', 'All is well.'));
}
