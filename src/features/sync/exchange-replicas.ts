import { randomBytes } from 'node:crypto';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Client } from '../../verbs/client.ts';

export type Replica = Pick<
  Client,
  'greetReplica' | 'digestRecords' | 'pullRecords' | 'pushRecords' | 'listLinks' | 'keepLink' | 'renewReplica'
>;

/** What each replica understands; one of another is refused, with the side that is to be upgraded. */
export const FORMAT = 1;

/** A place in the other's changes, or in one's own. */
export type Place = { to: string; epoch: string };

/** What is kept of an exchange by the side that calls. */
export type LinkState = {
  /** The link's name for the other side. */
  id: string;
  url: string;
  team: string | null;
  projects: string[] | null;
  ticket: number;
  pulled: Place | null;
  pushed: Place | null;
  lastAt: Instant | null;
  isOwn: boolean;
  /** What is exchanged is sealed. `unread`: uploads that were not taken in, and that are not to go. `compared`: the state of both sides in which they were
   * equal. */
  sealed?: { vault: string; unread: string[]; compared?: string };
};

export interface Exchange {
  near: Replica;
  far: Replica;
  url: string;
  team?: string;
  /** None: all. Absent: what the link was made with; at first, all. */
  projects?: readonly string[];
  dryRun?: boolean;
  now: () => Instant;
  onProgress?: (step: string, done: number) => void;
}

export interface ExchangeReport {
  url: string;
  /** Records that are another now than they were, here and there. */
  pulled: number;
  pushed: number;
  refused: { id: string; why: string; by: 'here' | 'there' }[];
  refusedCount: number;
  /** Readers only pull. */
  mayWrite: boolean;
  /** A backup was put back, here or there: everything was compared. */
  renewed: 'here' | 'there' | null;
  /** Whether both sides hold the same; null where nobody looked. */
  inSync: boolean | null;
  /** Where what is exchanged is sealed. */
  sealed?: {
    /** How often the key was changed, from 1. */
    epoch: number;
    /** Uploads that the server should have had and did not have, or that several had changed: sent again. */
    sentAgain: number;
    /** Records on the server that are sealed with an earlier key. */
    leftToReseal: number;
  };
}

const LINK = 'to ';

export function linkName(url: string, team: string | undefined): string {
  return `${LINK}${url}${team === undefined ? '' : ` ${team}`}`;
}

/** The links that were made from here. */
export async function listOwnLinks(near: Pick<Replica, 'listLinks'>): Promise<LinkState[]> {
  const links = await near.listLinks({});
  return links.filter(({ name }) => name.startsWith(LINK)).map(({ state }) => state as unknown as LinkState);
}

/** Both sides hold the same afterwards, unless somebody writes meanwhile or something was refused. Whatever ends it, the next one goes on. */
export async function exchangeReplicas(exchange: Exchange): Promise<ExchangeReport> {
  const { near, far, url, team } = exchange;
  const report: ExchangeReport = {
    url,
    pulled: 0,
    pushed: 0,
    refused: [],
    refusedCount: 0,
    mayWrite: true,
    renewed: null,
    inSync: null,
  };
  let link = await findLink(exchange);
  // Whatever the server says: what was sealed once is never sent readable.
  if (link.sealed !== undefined)
    throw new EngineError('space_sealed', 'What is exchanged with this server is sealed, and this would not be.', {
      hint: 'Join again with the recovery words: `ltm sync memory --words FILE`.',
    });
  let greeting = await far.greetReplica({ link: link.id, ticket: link.ticket, format: FORMAT });
  if (greeting.stale === 'yours') {
    await near.renewReplica({});
    link = newLink(exchange);
    greeting = await far.greetReplica({ link: link.id, ticket: 0, format: FORMAT });
    report.renewed = 'here';
  } else if (greeting.stale === 'ours') report.renewed = 'there';
  // Another numbering: whether it has what was sent, nobody can say.
  if (link.pulled?.epoch !== greeting.epoch) link = { ...link, pulled: null, pushed: null };
  link = { ...link, ticket: greeting.ticket, isOwn: isOwnSpace(greeting, team) };
  report.mayWrite = greeting.mayWrite;
  link = await pullAll(exchange, link, report);
  if (greeting.mayWrite) link = await pushAll(exchange, link, report);
  if (exchange.dryRun === true) return report;
  await keep(exchange, { ...link, lastAt: exchange.now() });
  await far.greetReplica({ link: link.id, ticket: link.ticket, format: FORMAT, isKept: true });
  const projects = link.projects ?? undefined;
  const [here, there] = [await near.digestRecords({ projects }), await far.digestRecords({ projects })];
  return { ...report, inSync: here.digest === there.digest };
}

/** What is a team's is not its person's own, whatever the server says of it. */
export function isOwnSpace(greeting: { isOwn: boolean }, team: string | undefined): boolean {
  return greeting.isOwn && team === undefined;
}

type Linking = Pick<Exchange, 'url' | 'team' | 'projects'> & { near: Pick<Replica, 'listLinks'> };

export async function findLink({ near, url, team, projects }: Linking): Promise<LinkState> {
  const links = await listOwnLinks(near);
  const known = links.find((link) => link.url === url && link.team === (team ?? null));
  if (known === undefined) return newLink({ url, team, projects });
  const wanted = projects === undefined ? known.projects : chosen(projects);
  // With more projects than before, what was passed over is wanted now.
  const isSame = JSON.stringify(wanted) === JSON.stringify(known.projects);
  return isSame ? known : { ...known, projects: wanted, pulled: null, pushed: null };
}

export function newLink({ url, team, projects }: Pick<Exchange, 'url' | 'team' | 'projects'>): LinkState {
  return {
    id: randomBytes(8).toString('hex'),
    url,
    team: team ?? null,
    ticket: 0,
    pulled: null,
    pushed: null,
    projects: chosen(projects),
    lastAt: null,
    isOwn: false,
  };
}

function chosen(projects: readonly string[] | undefined): string[] | null {
  return projects === undefined || projects.length === 0 ? null : [...projects];
}

type Keeping = Pick<Exchange, 'url' | 'team'> & { near: Pick<Replica, 'keepLink'> };

export async function keep({ near, url, team }: Keeping, link: LinkState): Promise<void> {
  await near.keepLink({ name: linkName(url, team), state: link as unknown as JsonObject });
}

/** The place moves in the commit that takes the page in. */
async function pullAll(exchange: Exchange, start: LinkState, report: ExchangeReport): Promise<LinkState> {
  const { near, far, url, team, dryRun, onProgress } = exchange;
  let link = start;
  for (;;) {
    const { id, projects } = link;
    const lines = await far.pullRecords({
      link: id,
      after: link.pulled?.to,
      epoch: link.pulled?.epoch,
      ...(projects !== null && { projects }),
    });
    const before = link;
    const moved = (place: Place): LinkState => ({ ...before, pulled: { to: place.to, epoch: place.epoch } });
    const taken = await near.pushRecords({
      link: id,
      lines,
      dryRun,
      pulled: {
        isOwn: link.isOwn,
        keep: (end) => ({ name: linkName(url, team), state: moved(end) as unknown as JsonObject }),
      },
    });
    note(report, taken, 'here');
    report.pulled += taken.taken;
    onProgress?.('pulling', report.pulled);
    if (taken.end === null) throw new Error('The server ended a page without saying where.');
    link = moved(taken.end);
    if (taken.end.isLast) return link;
  }
}

async function pushAll(exchange: Exchange, start: LinkState, report: ExchangeReport): Promise<LinkState> {
  const { near, far, dryRun, onProgress } = exchange;
  let link = start;
  for (;;) {
    const { id, projects } = link;
    const page = await near.pullRecords({
      link: id,
      after: link.pushed?.to,
      epoch: link.pushed?.epoch,
      ...(projects !== null && { projects }),
    });
    const lines: string[] = [];
    for await (const line of page) lines.push(line);
    const { to, epoch, isLast } = JSON.parse(lines.at(-1)!) as Place & { isLast: boolean };
    if (lines.length > 1) {
      const taken = await far.pushRecords({ link: id, lines, ...(dryRun === true && { dryRun }) });
      note(report, taken, 'there');
      report.pushed += taken.taken;
      onProgress?.('pushing', report.pushed);
    }
    link = { ...link, pushed: { to, epoch } };
    if (dryRun !== true) await keep(exchange, link);
    if (isLast) return link;
  }
}

export function note(
  report: ExchangeReport,
  { refused, refusedCount }: Pick<ExchangeReport, 'refusedCount'> & { refused: readonly { id: string; why: string }[] },
  by: 'here' | 'there',
): void {
  report.refusedCount += refusedCount;
  report.refused.push(...refused.map((one) => ({ ...one, by })));
}
