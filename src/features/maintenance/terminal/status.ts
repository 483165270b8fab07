import { existsSync } from 'node:fs';
import { AGENTS } from '../../../agents/agents.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { findPrograms } from '../../../cli/machine/find-program.ts';
import { carriedVariables, installedAt, placeOf } from '../../../cli/machine/setup-place.ts';
import { isServiceRunning, serviceOf } from '../../../cli/machine/setup-service.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine, showBytes, showCount } from '../../../cli/safe-text.ts';
import { reachOwnServer } from '../../../client/own-server.ts';
import { findRunningServer } from '../../../client/running-server.ts';
import { EngineError } from '../../../model/errors.ts';
import { showLocation } from '../../../model/show-location.ts';
import { VERSION } from '../../../model/version.ts';
import { type Config, loadConfig } from '../../../settings/config.ts';
import { describeSpool, type SpoolState } from '../../sessions/capture/spool.ts';
import { type AgentCheck, checkAgents } from '../../setup/check-agents.ts';
import { wiringFor } from '../../setup/plan-setup.ts';

const ANSWER_MS = 2000;
/** What waits longer than this has nobody to take it in. */
const STUCK_MS = 60 * 60_000;

/** What is wrong, and the way out. */
interface StatusProblem {
  message: string;
  hint: string;
}

interface Captured {
  observations: number;
  sessions: number;
}

interface Status {
  version: string;
  /** The server in use; null: the database of this machine. */
  server: string | null;
  database: string;
  /** Of `ltm serve` on this machine. */
  running: { url: string; pid: number; answers: boolean } | null;
  service: 'running' | 'stopped' | 'none';
  agents: AgentCheck[];
  /** Since midnight; null where nobody could be asked. */
  today: Captured | null;
  spool: SpoolState;
  problems: StatusProblem[];
}

export async function status(context: CommandContext): Promise<number> {
  const found = await readStatus(context);
  context.answer({ ok: found.problems.length === 0, ...found }, () => showStatus(found, context));
  return found.problems.length === 0 ? EXIT.ok : EXIT.failure;
}

async function readStatus(context: CommandContext): Promise<Status> {
  const problems: StatusProblem[] = [];
  const config = loadConfig(context.sources);
  const place = placeOf(context);
  const programs = findPrograms(installedAt(context), VERSION);
  const env = carriedVariables(context);
  const agents = checkAgents(AGENTS, { place, wire: (agent) => wiringFor(agent, place, programs, env) });
  const running = await askRunning(config);
  const isUp = isServiceRunning(serviceOf(context, place), place);
  const today = await countToday(context, config, problems);
  // Counting has taken in what waited.
  const spool = describeSpool(config.spool);
  problems.push(...judgeAgents(agents), ...judgeSpool(spool, config.spool));
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
  return {
    version: VERSION,
    server: await context.server(),
    database: showLocation(config.db),
    running,
    service: isUp === null ? 'none' : isUp ? 'running' : 'stopped',
    agents,
    today,
    spool,
    problems,
  };
}

async function askRunning({ spool }: Config): Promise<Status['running']> {
  const found = findRunningServer(spool);
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

/** A status makes no database. What cannot be counted is a problem, not the end. */
async function countToday(
  context: CommandContext,
  { db }: Config,
  problems: StatusProblem[],
): Promise<Captured | null> {
  const server = await context.server();
  if (server === null && !db.includes('://') && !existsSync(db)) return { observations: 0, sessions: 0 };
  try {
    const client = await context.client();
    const observations = await client.listObservations({ since: 'today', limit: 1 });
    const sessions = await client.listSessions({ since: 'today', limit: 1 });
    return { observations: observations.total, sessions: sessions.total };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    problems.push({ message: error.message, hint: error.hint ?? '`ltm doctor` checks the database.' });
    return null;
  }
}

function judgeAgents(agents: readonly AgentCheck[]): StatusProblem[] {
  const problems = agents.flatMap(({ title, state, problem }): StatusProblem[] => {
    if (state === 'unreadable') return [{ message: problem!, hint: 'Correct the file, then run `ltm setup`.' }];
    if (state === 'outdated') return [{ message: `${title} is not set up as it should be.`, hint: 'Run `ltm setup`.' }];
    return [];
  });
  if (agents.length > 0 && agents.every(({ state }) => state === 'not set up'))
    problems.push({ message: 'No agent is connected.', hint: 'Run `ltm setup`.' });
  return problems;
}

function judgeSpool({ waiting, refused, dropped, oldestAt }: SpoolState, folder: string): StatusProblem[] {
  const problems: StatusProblem[] = [];
  if (waiting > 0 && oldestAt !== null && Date.now() - oldestAt > STUCK_MS)
    problems.push({
      message: `${showCount(waiting, 'captured event')} could not be taken in for more than an hour.`,
      hint: 'Run `ltm doctor`, or `ltm auth` if this machine uses a server.',
    });
  if (refused > 0)
    problems.push({
      message: `${showCount(refused, 'captured event')} could not be read.`,
      hint: `They are in ${folder}/refused. Remove them when you have looked.`,
    });
  if (dropped > 0)
    problems.push({
      message: `${showCount(dropped, 'event')} had no room in the spool and ${dropped === 1 ? 'was' : 'were'} dropped.`,
      hint: `Free some space, then remove ${folder}/dropped.`,
    });
  return problems;
}

function showStatus(found: Status, { terminal }: CommandContext): void {
  const { print, paint } = terminal;
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  const { running, service, today, spool, problems } = found;
  row('ltm', found.version);
  if (found.server === null) row('database', found.database);
  else row('uses', found.server);
  row('server', running === null ? 'none runs here, and none is needed' : `${running.url} (process ${running.pid})`);
  if (service !== 'none') row('service', service);
  if (today !== null)
    row('today', `${showCount(today.observations, 'observation')} in ${showCount(today.sessions, 'session')}`);
  row(
    'spool',
    spool.waiting === 0
      ? 'nothing waits'
      : `${showCount(spool.waiting, 'event')} (${showBytes(spool.waitingBytes)}) for the next ltm process`,
  );
  for (const [at, { title, state, hooks }] of found.agents.entries()) {
    const capture =
      state === 'connected' && hooks !== null
        ? hooks
          ? ', sessions are captured'
          : ', sessions are not captured'
        : '';
    row(at === 0 ? 'agents' : '', `${title}: ${state}${capture}`);
  }
  if (found.agents.length === 0) row('agents', 'none found');
  for (const { message, hint } of problems)
    print(`${paint('red', 'problem')}    ${safeLine(message)} ${safeLine(hint)}`);
  if (problems.length === 0) print(paint('green', 'All is well.'));
}
