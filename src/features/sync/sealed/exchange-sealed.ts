import { EngineError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Incoming } from '../../../model/plan-take.ts';
import type { KeptUpload } from '../../../model/sealed.ts';
import {
  type ExchangeReport,
  FORMAT,
  findLink,
  isOwnSpace,
  keep,
  type LinkState,
  linkName,
  newLink,
  note,
} from '../exchange-replicas.ts';
import { openUpload } from './envelope.ts';
import { tampered } from './keyring.ts';
import { compareSealed, listOwn, listSlots, readPage, type SealedExchange, send, type Work } from './sealed-work.ts';
import { forgetEarlier, resumeSealed, type SealedSpace } from './vault-session.ts';

const TRIES = 3;
/** Uploads that are opened and taken in at once: each that is refused is named. */
const AT_ONCE = 100;
const IDS = 200;
const MAX_UNREAD = 1000;

/**
 * As `exchangeReplicas`, with a server that keeps what it cannot read: records are sealed here, merged here and compared here. Whatever the server
 * has changed, swapped or left out is named, and what it has lost is sent again.
 */
export async function exchangeSealed(exchange: SealedExchange): Promise<ExchangeReport> {
  for (let tries = 1; ; tries++)
    try {
      return await exchangeOnce(exchange);
    } catch (error) {
      // Another machine has changed the key meanwhile: it is fetched, and everything goes on from there.
      const isOutdated = error instanceof EngineError && error.code === 'conflict' && error.details.reason === 'key';
      if (!isOutdated || tries === TRIES) throw error;
    }
}

async function exchangeOnce(exchange: SealedExchange): Promise<ExchangeReport> {
  const { near, far, url, team, folder, now } = exchange;
  const space: SealedSpace = { far, folder, url, team: team ?? null, now };
  const session = await resumeSealed(space);
  if (session === null)
    throw new EngineError('space_sealed', 'This machine does not have the key of this space.', {
      hint: 'Join with the recovery words: `ltm sync memory --words FILE`.',
    });
  const { vault, epoch } = session.vault.keyring;
  const work: Work = {
    ...exchange,
    session,
    report: {
      url,
      pulled: 0,
      pushed: 0,
      refused: [],
      refusedCount: 0,
      mayWrite: true,
      inSync: null,
      renewed: session.wasBehind ? 'there' : null,
      sealed: { epoch, sentAgain: 0, leftToReseal: 0 },
    },
  };
  const { report } = work;
  let link = await findLink(exchange);
  if (link.sealed !== undefined && link.sealed.vault !== vault)
    throw tampered('This link was made with another sealed space.');
  const greet = (from: LinkState) =>
    far.greetReplica({ link: from.id, ticket: from.ticket, format: FORMAT, isSealed: true });
  let greeting = await greet(link);
  if (greeting.stale === 'yours') {
    await near.renewReplica({});
    link = newLink(exchange);
    greeting = await greet(link);
    report.renewed = 'here';
  } else if (greeting.stale === 'ours') report.renewed = 'there';
  // One that was not sealed before numbers its places in another way.
  if (link.pulled?.epoch !== greeting.epoch || link.sealed === undefined)
    link = { ...link, pulled: null, pushed: null };
  link = {
    ...link,
    ticket: greeting.ticket,
    isOwn: isOwnSpace(greeting, team),
    sealed: { vault, unread: link.sealed?.unread ?? [] },
  };
  report.mayWrite = greeting.mayWrite;
  link = await pullAll(work, link);
  const isFirst = link.pushed === null;
  if (greeting.mayWrite) link = await pushAll(work, link);
  if (exchange.dryRun === true) return report;
  await keep(work, { ...link, lastAt: now() });
  if (exchange.isChecked === true && greeting.mayWrite) link = await checkUploads(work, link);
  const { digest } = await far.digestSealed({});
  const isOne = link.sealed!.compared === markOf(work, link, digest) || (await compareSealed(work, link.projects));
  if (!isOne && greeting.mayWrite) link = await reconcile(work, link, { isFirst });
  report.inSync = isOne || (await compareSealed(work, link.projects));
  const there = await far.digestSealed({});
  const { compared: _, ...sealed } = link.sealed!;
  const compared = report.inSync && { compared: markOf(work, link, there.digest) };
  await keep(work, { ...link, sealed: { ...sealed, ...compared }, lastAt: now() });
  await far.greetReplica({ link: link.id, ticket: link.ticket, format: FORMAT, isKept: true, isSealed: true });
  const { keyId } = session.vault.keyring;
  for (const [key, count] of Object.entries(there.keys)) if (key !== keyId) report.sealed.leftToReseal += count;
  const isDone = report.inSync && report.sealed.leftToReseal === 0;
  if (isDone && greeting.mayWrite && session.vault.earlier.size > 0) await forgetEarlier(space, session);
  return report;
}

/** Names a state of both sides: where nothing has moved since they were equal, nothing need be gone through. */
function markOf({ session }: Work, { pushed, projects }: LinkState, digest: string): string {
  return JSON.stringify([pushed?.epoch, pushed?.to, session.vault.keyring.keyId, projects, digest]);
}

async function pullAll(work: Work, start: LinkState): Promise<LinkState> {
  const { far, near, url, team, dryRun, onProgress, report } = work;
  let link = await readAgain(work, start);
  for (;;) {
    const after = Number(link.pulled?.to ?? 0);
    const lines = await far.pullUploads({
      link: link.id,
      after,
      ...(link.pulled !== null && { epoch: link.pulled.epoch }),
    });
    const { uploads, end } = await readPage(lines);
    const unread = await takeIn(work, link, uploads);
    const before = link;
    const all = [...new Set([...link.sealed!.unread, ...unread])];
    if (all.length > MAX_UNREAD) throw tampered(`More than ${MAX_UNREAD} uploads on the server cannot be opened.`);
    const sealed = { ...link.sealed!, unread: all };
    link = { ...before, sealed, pulled: { to: String(end.to), epoch: end.epoch } };
    const state = link as unknown as JsonObject;
    // What was refused is known by now: the place moves with it, and after all of the page.
    await near.pushRecords({
      link: link.id,
      dryRun,
      lines: [JSON.stringify({ to: String(end.to), epoch: end.epoch, isLast: end.isLast })],
      pulled: { isOwn: link.isOwn, keep: () => ({ name: linkName(url, team), state }) },
    });
    onProgress?.('pulling', report.pulled);
    if (end.isLast) return link;
  }
}

/** What could not be taken in before, such as what was written ahead of the clock. */
async function readAgain(work: Work, link: LinkState): Promise<LinkState> {
  const names = link.sealed!.unread;
  if (names.length === 0) return link;
  const still: string[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const lines = await work.far.pullUploads({ uploads: names.slice(at, at + AT_ONCE) });
    still.push(...(await takeIn(work, link, (await readPage(lines)).uploads)));
  }
  return { ...link, sealed: { ...link.sealed!, unread: still } };
}

/** The names of those that were not taken in. */
async function takeIn(
  work: Work,
  { id, isOwn, projects }: LinkState,
  uploads: readonly KeptUpload[],
): Promise<string[]> {
  const { near, session, report, dryRun, url, team } = work;
  const unread: string[] = [];
  const refuse = (upload: KeptUpload, why: string) => {
    unread.push(upload.upload);
    note(report, { refusedCount: 1, refused: [{ id: upload.upload, why }] }, 'here');
  };
  for (let at = 0; at < uploads.length; at += AT_ONCE) {
    const opening: { id: string; line: string }[] = [];
    const byId = new Map<string, KeptUpload[]>();
    for (const upload of uploads.slice(at, at + AT_ONCE)) {
      const opened = openUpload(session.vault, upload, session.past);
      if ('why' in opened) {
        refuse(upload, opened.why);
        continue;
      }
      opening.push(opened);
      byId.set(opened.id, [...(byId.get(opened.id) ?? []), upload]);
    }
    const lines = await keepWanted(work, projects, opening);
    if (lines.length === 0) continue;
    const keepNothing = () => ({ name: linkName(url, team), state: {} });
    const taken = await near.pushRecords({ link: id, lines, dryRun, pulled: { isOwn, keep: keepNothing } });
    report.pulled += taken.taken;
    for (const { id: refused, why } of taken.refused) for (const upload of byId.get(refused) ?? []) refuse(upload, why);
  }
  return unread;
}

/** Of chosen projects: what is in one of them, what is here already, and purges. The server cannot tell, so this machine does. */
async function keepWanted(
  { near }: Work,
  projects: LinkState['projects'],
  opened: readonly { id: string; line: string }[],
): Promise<string[]> {
  if (projects === null) return opened.map(({ line }) => line);
  const isChosen = (line: string) => {
    const { state } = JSON.parse(line) as Incoming;
    return state === null || projects.some((name) => name === state.fields.project?.value);
  };
  const others = opened.filter(({ line }) => !isChosen(line));
  const here = others.length === 0 ? [] : await near.tellRecords({ ids: others.map(({ id }) => id) });
  const known = new Set(here.map((line) => (JSON.parse(line) as Incoming).id));
  return opened.filter(({ id, line }) => known.has(id) || isChosen(line)).map(({ line }) => line);
}

async function pushAll(work: Work, start: LinkState): Promise<LinkState> {
  const { near, dryRun, onProgress, report } = work;
  let link = start;
  for (;;) {
    const page = await near.pullRecords({
      link: link.id,
      after: link.pushed?.to,
      epoch: link.pushed?.epoch,
      isWhole: true,
      ...(link.projects !== null && { projects: link.projects }),
    });
    const lines: string[] = [];
    for await (const line of page) lines.push(line);
    const { to, epoch, isLast } = JSON.parse(lines.pop()!) as { to: string; epoch: string; isLast: boolean };
    // What is there already shows when both are compared; only what has changed since is sent unasked.
    const isFirst = !(link.pushed?.to ?? 's:').startsWith('f:');
    if (dryRun === true) report.pushed += lines.length;
    else if (!isFirst) report.pushed += await send(work, link, lines);
    onProgress?.('pushing', report.pushed);
    link = { ...link, pushed: { to, epoch } };
    if (dryRun !== true) await keep(work, link);
    if (isLast) return link;
  }
}

/**
 * Sends what the server lacks, what is kept there in several uploads that are one by now, and what is sealed with an earlier key. Ends in the
 * middle without harm: the next exchange finds what is left.
 */
async function reconcile(work: Work, link: LinkState, { isFirst }: { isFirst: boolean }): Promise<LinkState> {
  const { near, report, onProgress } = work;
  const own = await listOwn(work, link.projects);
  const upTo = Number(link.pulled?.to ?? 0);
  const unread = new Set(link.sealed!.unread);
  const slots = await listSlots(work);
  const ids = [...own].flatMap(([slot, { id, tag }]) => {
    const there = slots.get(slot) ?? [];
    const isMerged = ({ upload, seq, tag: other }: (typeof there)[number]) =>
      other !== tag && seq <= upTo && !unread.has(upload);
    return there.some((one) => one.tag === tag) && !there.some(isMerged) ? [] : [id];
  });
  for (let at = 0; at < ids.length; at += IDS) {
    const sent = await send(work, link, await near.tellRecords({ ids: ids.slice(at, at + IDS) }));
    if (isFirst) report.pushed += sent;
    else report.sealed.sentAgain += sent;
    onProgress?.(isFirst ? 'pushing' : 'sealing anew', report.pushed + report.sealed.sentAgain);
  }
  // Records that the server has and this machine does not know, though it has read past them: everything is read once more.
  const isForgotten =
    link.projects === null &&
    [...slots].some(
      ([slot, there]) => !own.has(slot) && there.some(({ seq, upload }) => seq <= upTo && !unread.has(upload)),
    );
  return isForgotten && link.pulled !== null ? { ...link, pulled: { ...link.pulled, to: '0' } } : link;
}

/** Whether the server still has all that it says it has: each upload is opened, and what has none that opens is sent again. */
async function checkUploads(work: Work, link: LinkState): Promise<LinkState> {
  const { far, near, session, report } = work;
  const sound = new Set<string>();
  const broken: string[] = [];
  for (let after = 0, epoch = link.pulled?.epoch; ; ) {
    const { uploads, end } = await readPage(await far.pullUploads({ after, ...(epoch !== undefined && { epoch }) }));
    for (const upload of uploads) {
      const opened = openUpload(session.vault, upload, session.past);
      if ('line' in opened) sound.add(`${upload.slot} ${upload.tag}`);
      else {
        if (!link.sealed!.unread.includes(upload.upload))
          note(report, { refusedCount: 1, refused: [{ id: upload.upload, why: opened.why }] }, 'here');
        broken.push(upload.upload);
      }
    }
    [after, epoch] = [end.to, end.epoch];
    if (end.isLast) break;
  }
  const own = await listOwn(work, link.projects);
  const ids = [...own].flatMap(([slot, { id, tag }]) => (sound.has(`${slot} ${tag}`) ? [] : [id]));
  for (let at = 0; at < ids.length; at += IDS)
    report.sealed.sentAgain += await send(work, link, await near.tellRecords({ ids: ids.slice(at, at + IDS) }));
  if (work.isDiscarding !== true) return link;
  for (let at = 0; at < broken.length; at += AT_ONCE)
    await far.dropUploads({ uploads: broken.slice(at, at + AT_ONCE) });
  return { ...link, sealed: { ...link.sealed!, unread: link.sealed!.unread.filter((name) => !broken.includes(name)) } };
}
