import { existsSync } from 'node:fs';
import type { CommandContext } from '../../../cli/command.ts';
import { showBytes, showCount } from '../../../cli/safe-text.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Config } from '../../../settings/config.ts';
import type { Check, Checked } from '../../feature.ts';
import { describeSpool, type SpoolState } from '../capture/spool.ts';

/** What waits longer than this has nobody to take it in. */
const STUCK_MS = 60 * 60_000;

export const CHECKS: readonly Check[] = [
  { name: 'today', look: checkToday },
  { name: 'spool', look: checkSpool },
];

/** A status makes no database. What cannot be counted is a problem, not the end. */
async function checkToday(context: CommandContext, { db }: Config): Promise<Checked> {
  const server = await context.server();
  if (server === null && !db.includes('://') && !existsSync(db)) return tellToday(0, 0);
  try {
    const client = await context.client();
    const observations = await client.listObservations({ since: 'today', limit: 1 });
    const sessions = await client.listSessions({ since: 'today', limit: 1 });
    return tellToday(observations.total, sessions.total);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const problem = { message: error.message, hint: error.hint ?? '`ltm doctor` checks the database.' };
    return { facts: { today: null }, rows: [], problems: [problem] };
  }
}

function tellToday(observations: number, sessions: number): Checked {
  const shown = `${showCount(observations, 'observation')} in ${showCount(sessions, 'session')}`;
  return { facts: { today: { observations, sessions } }, rows: [['today', shown]], problems: [] };
}

async function checkSpool(_context: CommandContext, { places: { spool: folder } }: Config): Promise<Checked> {
  const spool = describeSpool(folder);
  const shown =
    spool.waiting === 0
      ? 'nothing waits'
      : `${showCount(spool.waiting, 'event')} (${showBytes(spool.waitingBytes)}) for the next ltm process`;
  return { facts: { spool }, rows: [['spool', shown]], problems: judgeSpool(spool, folder) };
}

function judgeSpool({ waiting, refused, dropped, oldestAt }: SpoolState, folder: string): Checked['problems'] {
  const problems: { message: string; hint: string }[] = [];
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
