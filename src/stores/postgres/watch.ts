import { randomUUID } from 'node:crypto';
import type { Log } from '../../engine/ports.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import { listHeads as listAllHeads } from '../sql/read-records.ts';
import type { Database } from './database.ts';
import { quoteLiteral } from './quote.ts';
import { runSteps } from './run-steps.ts';
import type { Transactions } from './transactions.ts';
import { retryWhilePassing, translateError } from './translate-error.ts';

const CHANNEL = 'ltm_changes';
/** Spaces whose last told number is remembered, so that nothing is told twice. */
const MAX_TOLD = 10_000;
const PAYLOAD = /^(\d+) (.*)$/s;
/** Whoever has not heard its own voice by then, where a message takes milliseconds, hears nobody. */
const ECHO_MS = 3_000;

export interface Watch {
  watch(onCommit: (space: SpaceId) => void): () => void;
  /** This process has committed something. */
  announce(space: SpaceId, head: Sequence): void;
  close(): Promise<void>;
}

/** A hint between nodes that a space has changed. It is sent after the commit: should it get lost, the head, which every search asks for, still tells. */
export function createWatch(database: Database, transactions: Transactions, log: Log): Watch {
  const sender = randomUUID();
  const schema = `${transactions.surroundings.schema} `;
  const listeners = new Set<(space: SpaceId) => void>();
  const told = new Map<SpaceId, Sequence>();
  const toTell = new Map<SpaceId, Sequence>();
  let telling: Promise<void> | null = null;
  let stopListening: (() => void) | null = null;
  let hasHeardItself = false;

  function hear(space: SpaceId, head: Sequence): void {
    const before = told.get(space);
    // A commit without an entry in the feed (a receipt) leaves the number as it is, and is news to nobody.
    if (listeners.size === 0 || (before !== undefined && before >= head)) return;
    told.delete(space);
    told.set(space, head);
    if (told.size > MAX_TOLD) told.delete(told.keys().next().value!);
    for (const listener of listeners) listener(space);
  }

  function listen(): () => void {
    return database.listen(CHANNEL, {
      message(payload) {
        if (!payload.startsWith(schema)) return;
        if (payload.startsWith(sender, schema.length)) {
          hasHeardItself = true;
          return;
        }
        const [, head, space] = PAYLOAD.exec(payload.slice(schema.length + sender.length + 1)) ?? [];
        if (space !== undefined) hear(space, Number(head));
      },
      async ready(missedSince) {
        try {
          for (const { space, head } of await readChangedSpaces(transactions, missedSince)) hear(space, head);
        } catch (error) {
          log.warn('missed_commits_not_read', { code: translateError(error).code });
        }
        if (!hasHeardItself) await listenForEcho();
      },
    });
  }

  /** A pooler in transaction mode takes a LISTEN and lets nothing of it through: only trying shows that. */
  async function listenForEcho(): Promise<void> {
    await notify([`${schema}${sender}`]);
    setTimeout(() => {
      if (hasHeardItself || stopListening === null) return;
      log.warn('database_listener_deaf', {
        effect: 'events of other nodes arrive up to five seconds late',
        hint: 'The URL points to a connection pooler in transaction mode. Set db_listen_url to the server itself, or use session mode.',
      });
    }, ECHO_MS).unref();
  }

  /** Commits that come while a message is under way are told in the next: a NOTIFY makes all transactions of a server that notify stand in line. */
  async function tell(): Promise<void> {
    while (toTell.size > 0) await tellOnce();
    telling = null;
  }

  async function tellOnce(): Promise<void> {
    const payloads = Array.from(toTell, ([space, head]) => `${schema}${sender} ${head} ${space}`);
    toTell.clear();
    await notify(payloads);
  }

  /** In one message, which the server takes as one transaction; a hint need not survive its crash. */
  async function notify(payloads: readonly string[]): Promise<void> {
    const calls = payloads.map((payload) => `pg_notify('${CHANNEL}', ${quoteLiteral(payload)})`);
    const notice = `SET LOCAL synchronous_commit = 'off'; SELECT ${calls.join(', ')}`;
    try {
      await retryWhilePassing(() => database.withSession((session) => session.run(notice)));
    } catch (error) {
      log.warn('commit_not_announced', { spaces: payloads.length, code: translateError(error).code });
    }
  }

  return {
    watch(onCommit) {
      // One function may watch twice: each has its own end.
      const listener = (space: SpaceId) => onCommit(space);
      listeners.add(listener);
      stopListening ??= listen();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopListening?.();
        stopListening = null;
      };
    },
    announce(space, head) {
      hear(space, head);
      toTell.set(space, head);
      telling ??= tell();
    },
    async close() {
      stopListening?.();
      stopListening = null;
      listeners.clear();
      await telling;
    },
  };
}

/** A head bears the time when its transaction began, which may have been so long before the commit. */
const LONGEST_TRANSACTION_MS = 300_000;

interface SpaceHead {
  space: SpaceId;
  head: Sequence;
}

/** All of them, or those that have changed since this moment (`performance.now`). */
export async function listHeads(transactions: Transactions, since: number | null): Promise<SpaceHead[]> {
  if (since !== null) return readChangedSpaces(transactions, since - LONGEST_TRANSACTION_MS);
  return transactions.read('list_of_spaces', (session) => runSteps(session, listAllHeads()));
}

/** Which spaces have changed since this moment (`performance.now`), as far as the server's clock tells; rather one too many than one too few. */
async function readChangedSpaces(transactions: Transactions, since: number): Promise<SpaceHead[]> {
  return transactions.read('list_of_spaces', async (session) => {
    const { rows } = await session.query<{ now: number }>('SELECT extract(epoch FROM now())::double precision AS now');
    const start = (rows[0]?.now ?? 0) - (performance.now() - since) / 1000;
    const changed = await session.query<{ space_id: SpaceId; seq: Sequence }>(
      'SELECT space_id, seq FROM feed_heads WHERE changed_at >= to_timestamp($1) ORDER BY space_id',
      [start],
    );
    return changed.rows.map(({ space_id, seq }) => ({ space: space_id, head: seq }));
  });
}
