import { setTimeout as pause } from 'node:timers/promises';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import { createRemoteClient } from '../../../client/remote-client.ts';
import { createServerClient } from '../../../client/server-client.ts';
import { EngineError } from '../../../model/errors.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import type { ClientOf } from '../../../verbs/client.ts';
import { type ExchangeReport, exchangeReplicas, type LinkState, listOwnLinks } from '../exchange-replicas.ts';
import { exchangeSealed } from '../sealed/exchange-sealed.ts';
import { compareSealed } from '../sealed/sealed-work.ts';
import {
  describeSealed,
  isSealedHere,
  prepareSealed,
  rotate,
  type SealedStatus,
  sealedSpaceOf,
} from '../sealed/sync-sealed.ts';
import { VERBS } from '../verbs.ts';

type Client = ClientOf<typeof VERBS>;

const WATCH_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const SHOWN = 10;

export async function syncMemory(context: CommandContext): Promise<number> {
  const { args, answer } = context;
  if (args.isOn('watch') && (args.isOn('once') || args.isOn('dry-run')))
    throw new UsageError('--watch goes on; it cannot be combined with --once or --dry-run.', 'Give one of them.');
  const near = await openNear(context);
  const link = await findLink(context, near);
  const words = await prepare(context, near, link);
  const exchange = await chooseExchange(context, near, link);
  if (args.isOn('watch')) return watch(context, exchange);
  const report = await exchange();
  answer({ ...report, ...(words !== null && { recoveryWords: words }) }, () => showReport(context, report));
  return endingOf(context, report);
}

function endingOf({ args }: CommandContext, report: ExchangeReport): number {
  if (args.isOn('dry-run') || report.inSync === true) return EXIT.ok;
  return report.refusedCount > 0 ? EXIT.refused : EXIT.incomplete;
}

/** The words that were made on the way, where some were. */
async function prepare(context: CommandContext, near: Client, link: ChosenLink): Promise<string[] | null> {
  const { args } = context;
  if (!args.isOn('encrypt') && args.text('words') === undefined) return null;
  if (args.isOn('dry-run'))
    throw new UsageError('--dry-run changes nothing, and cannot seal or join a space.', 'Leave one of them out.');
  const known = (await listOwnLinks(near)).find(({ url, team }) => url === link.url && team === link.team);
  if (known !== undefined && known.sealed === undefined && args.isOn('encrypt'))
    throw new UsageError(
      'These memories are exchanged with that server already, readable for it.',
      'A space is sealed at its start: take another one, such as that of a new team (--team NAME).',
    );
  return prepareSealed(context, { ...link, far: openFar(context, link) });
}

/** Sealed where this machine has the key of the space, or had it once. */
async function chooseExchange(
  context: CommandContext,
  near: Client,
  link: ChosenLink,
): Promise<() => Promise<ExchangeReport>> {
  const { args, terminal } = context;
  const progress = createProgress(terminal, args.isOn('quiet'));
  const far = openFar(context, link);
  const about = {
    near,
    far,
    url: link.url,
    projects: link.projects,
    dryRun: args.isOn('dry-run'),
    now: Date.now,
    ...(link.team !== null && { team: link.team }),
    onProgress: (step: string, done: number) => progress.show(step, done, 0),
  };
  const known = (await listOwnLinks(near)).find(({ url, team }) => url === link.url && team === link.team);
  const isSealed = isSealedHere(context, { ...link, far }, known);
  return async () => {
    try {
      if (!isSealed) return await exchangeReplicas(about);
      const { folder } = sealedSpaceOf(context, { ...link, far });
      return await exchangeSealed({
        ...about,
        folder,
        isChecked: args.isOn('check') || args.isOn('discard'),
        isDiscarding: args.isOn('discard'),
      });
    } finally {
      progress.end();
    }
  };
}

/** A new key for a sealed space; everything is sealed with it at once, or by the exchanges that follow. */
export async function rotateKey(context: CommandContext): Promise<number> {
  const near = await openNear(context);
  const link = await findLink(context, near);
  const words = await rotate(context, { ...link, far: openFar(context, link) });
  const report = await (await chooseExchange(context, near, link))();
  context.answer({ ...report, ...(words !== null && { recoveryWords: words }) }, () => showReport(context, report));
  return endingOf(context, report);
}

function openNear({ near, args }: CommandContext): Promise<Client> {
  return near({ team: args.text('team') });
}

function openFar({ env }: CommandContext, { url, team }: Pick<LinkState, 'url' | 'team'>): Client {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return createRemoteClient(VERBS, createServerClient(env, url), { timeZone, ...(team !== null && { team }) });
}

interface ChosenLink {
  url: string;
  team: string | null;
  projects: readonly string[] | undefined;
}

/** The server that is named, or the one that this space is exchanged with already, or the one in the settings. */
async function findLink({ args, sources }: CommandContext, near: Client): Promise<ChosenLink> {
  const team = args.text('team') ?? null;
  const projects = args.isOn('all-projects') ? [] : args.list('project');
  const named = args.text('to')?.replace(/\/+$/, '');
  if (named !== undefined && !/^https?:\/\//.test(named))
    throw new UsageError('--to needs the address of a server.', 'For example `--to https://memory.example.com`.');
  const links = (await listOwnLinks(near)).filter((link) => link.team === team);
  if (named === undefined && links.length > 1)
    throw new UsageError(
      `These memories are exchanged with ${links.map(({ url }) => url).join(' and ')}.`,
      'Say with --to which one is meant.',
    );
  const url = named ?? links[0]?.url ?? loadConfigOnce(sources).server;
  if (url === null || url === undefined)
    throw new UsageError(
      'Nothing says with which server to exchange memories.',
      'Sign in with `ltm auth login URL`, then `ltm sync memory --to URL`.',
    );
  return { url, team, projects };
}

/** Whatever fails is told once and tried again: a laptop is offline now and then. */
async function watch({ terminal, json }: CommandContext, exchange: () => Promise<ExchangeReport>): Promise<number> {
  let isEnding = false;
  let wait = WATCH_MS;
  let told = '';
  const stop = new AbortController();
  process.once('SIGINT', () => {
    isEnding = true;
    stop.abort();
  });
  while (!isEnding) {
    try {
      const report = await exchange();
      if (json) terminal.printJson(report);
      else if (report.pulled + report.pushed > 0 || told !== '') terminal.print(summarise(report));
      told = '';
      wait = WATCH_MS;
    } catch (error) {
      // A link that was revoked stays so: whoever watches has to know.
      if (!(error instanceof EngineError) || error.code === 'unauthorized' || error.code === 'forbidden') throw error;
      if (error.message !== told) terminal.warn(`${safeLine(error.message)} Trying again.`);
      told = error.message;
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
    await pause(wait, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  return EXIT.ok;
}

function summarise({ url, pulled, pushed, inSync }: ExchangeReport): string {
  const state = inSync === true ? 'in sync' : inSync === false ? 'not in sync yet' : 'not compared';
  return `${url}: ${showCount(pulled, 'record')} taken in, ${showCount(pushed, 'record')} sent, ${state}.`;
}

function showReport({ terminal, args }: CommandContext, report: ExchangeReport): void {
  const { print, warn, note } = terminal;
  if (args.isOn('dry-run'))
    print(
      `Would take in ${showCount(report.pulled, 'record')} from ${report.url} and send ${showCount(report.pushed, 'record')}.`,
    );
  else print(summarise(report));
  if (report.renewed !== null)
    note(
      report.renewed === 'here'
        ? 'This database was put back from a backup: everything was compared, and nothing that was deleted since comes back.'
        : 'The server was put back from a backup: it was given everything again.',
    );
  const { sentAgain = 0, leftToReseal = 0 } = report.sealed ?? {};
  if (sentAgain > 0)
    note(
      `${showCount(sentAgain, 'record')} sealed and sent again: with a new key, or because the server did not have all of it.`,
    );
  if (leftToReseal > 0) note(`${showCount(leftToReseal, 'record')} on the server still sealed with an earlier key.`);
  if (!report.mayWrite) note('You may only read there: nothing was sent.');
  for (const { id, why, by } of report.refused.slice(0, SHOWN))
    warn(`${by === 'there' ? 'the server' : 'this machine'} refused ${safeLine(id)}: ${safeLine(why)}`);
  if (report.refusedCount > SHOWN) warn(`and ${report.refusedCount - SHOWN} more`);
}

interface LinkStatus {
  url: string;
  team: string | null;
  projects: string[] | null;
  lastAt: number | null;
  /** Null where the server cannot be reached. */
  inSync: boolean | null;
  here: { records: number; digest: string };
  there: { records: number; digest: string } | null;
  problem: string | null;
  /** Where what is exchanged is sealed. */
  sealed?: SealedStatus;
}

/** In sync means that both sides hold the same, not that nothing failed. */
export async function showMemoryStatus(context: CommandContext): Promise<boolean> {
  const { terminal, answer } = context;
  const near = await openNear(context);
  const named = context.args.text('to')?.replace(/\/+$/, '');
  const links = (await listOwnLinks(near)).filter(({ url }) => named === undefined || url === named);
  const found: LinkStatus[] = [];
  for (const link of links) found.push(await compare(context, near, link));
  answer({ links: found }, () => {
    for (const { url, team, projects, inSync, lastAt, here, there, problem, sealed } of found) {
      const state = inSync === null ? 'cannot be reached' : inSync ? 'in sync' : 'not in sync';
      const colour = inSync === true ? 'green' : 'yellow';
      terminal.print(
        `${safeLine(url)}${team === null ? '' : ` (${safeLine(team)})`}  ${terminal.paint(colour, state)}`,
      );
      const last = lastAt === null ? 'never' : new Date(lastAt).toISOString().slice(0, 19).replace('T', ' ');
      terminal.print(
        terminal.paint('dim', `  last exchange ${last}, ${here.records} here, ${there?.records ?? '?'} there`),
      );
      if (sealed !== undefined) {
        terminal.print(`  sealed, key ${sealed.epoch} (${sealed.keyId}), which these machines have:`);
        for (const { name, id, isThis, addedAt } of sealed.machines)
          terminal.print(`    ${safeLine(name)} (${id}), since ${addedAt}${isThis ? ', this one' : ''}`);
      }
      if (projects !== null) terminal.print(`  projects: ${projects.map(safeLine).join(', ')}`);
      if (problem !== null) terminal.print(`  ${safeLine(problem)}`);
    }
    if (found.length === 0)
      terminal.note('No memories are exchanged with a server. `ltm sync memory --to URL` begins.');
  });
  return found.every(({ inSync }) => inSync === true);
}

async function compare(context: CommandContext, near: Client, link: LinkState): Promise<LinkStatus> {
  const { url, team, projects, lastAt } = link;
  const asked = projects === null ? {} : { projects };
  const here = await near.digestRecords(asked);
  const about = { url, team, projects, lastAt, here: { records: here.records, digest: here.digest } };
  const far = openFar(context, link);
  try {
    if (link.sealed !== undefined) {
      const [session, sealed] = await describeSealed(context, { ...link, far });
      const { slots, digest } = await far.digestSealed({});
      const inSync = await compareSealed({ near, far, session }, projects);
      return { ...about, inSync, there: { records: slots, digest }, problem: null, sealed };
    }
    const there = await far.digestRecords(asked);
    const inSync = there.digest === here.digest;
    return { ...about, inSync, there: { records: there.records, digest: there.digest }, problem: null };
  } catch (error) {
    // Being offline is an answer too; what the server said is shown with it.
    if (!(error instanceof EngineError)) throw error;
    return { ...about, inSync: null, there: null, problem: error.message };
  }
}

export async function showConflicts(context: CommandContext): Promise<number> {
  const { terminal, answer } = context;
  const { conflicts } = await (await openNear(context)).listSyncConflicts({});
  answer({ conflicts }, () => {
    for (const { id, kind, what, texts } of conflicts) {
      terminal.print(
        `${id}  ${kind}, ${what === 'texts' ? `${texts.length} texts, the first shows` : 'deleted, and changed elsewhere meanwhile'}`,
      );
      for (const { content, writtenAt } of texts)
        terminal.print(`  ${new Date(writtenAt).toISOString().slice(0, 16)}  ${safeLine(content)}`);
    }
    if (conflicts.length === 0) terminal.note('There are no conflicts.');
    else terminal.note('`ltm edit REF` with the text that is to stay settles one; `ltm restore REF` brings one back.');
  });
  return EXIT.ok;
}
