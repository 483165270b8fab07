export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

export interface Rows<Row> {
  rows: Row[];
  /** How many rows were written or found. */
  count: number;
}

/** One connection, ours alone until it is given back. What is asked for runs in order; nobody need wait for one answer before asking for the next. */
export interface Session {
  query<Row>(sql: string, values?: readonly Value[]): Promise<Rows<Row>>;
  /** Statements without values; the answer is the last one's command (`COMMIT`, `ROLLBACK` …). `limitMs`: how long they may take, where that is long. */
  run(sql: string, limitMs?: number): Promise<string>;
  /** Like query, for writes whose answer nobody reads; `settle` tells how they went. */
  send(sql: string, values?: readonly Value[]): void;
  /** Each row's only column, which is bytea, in the order of the rows; `take` must copy what it keeps. The SQL is one SELECT, its values quoted in it. */
  readBytes(select: string, take: (bytes: Uint8Array) => void): Promise<void>;
  /** Waits for all that was sent, and throws what failed first. */
  settle(): Promise<void>;
  /** What made the server refuse everything after it, where that is what this error says; else the error itself. */
  causeOf(error: unknown): unknown;
}

export interface Ear {
  message(payload: string): void;
  /** The line is up, for the first time or again; what was said since that moment (`performance.now`) may have been missed. */
  ready(missedSince: number): void;
}

/** The little that the store wants of a driver, so that it runs on a server through `pg` and inside a test through PGlite. Errors are the driver's own. */
export interface Database {
  /** Where it is, without any secret. */
  readonly location: string;
  /** When the work fails, the connection is made sound again or thrown away. */
  withSession<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Calls back for each message on the channel. */
  listen(channel: string, heard: Ear): () => void;
  close(): Promise<void>;
}

export interface Outbox extends Pick<Session, 'settle' | 'causeOf'> {
  add(answer: Promise<unknown>): void;
  /** Every answer passes here, so that the cause of what fails later is known. */
  watch<T>(answer: Promise<T>): Promise<T>;
}

export function createOutbox(): Outbox {
  let sent: Promise<unknown>[] = [];
  let cause: unknown = null;
  function watch<T>(answer: Promise<T>): Promise<T> {
    // Whoever awaits it tells of it; until then it must not count as unhandled.
    answer.catch((error: unknown) => {
      if (!isAftermath(error)) cause = error;
    });
    return answer;
  }
  return {
    watch,
    add: (answer) => void sent.push(watch(answer)),
    async settle() {
      const answers = await Promise.allSettled(sent);
      sent = [];
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    causeOf: (error) => (isAftermath(error) ? (cause ?? error) : error),
  };
}

/** After a failure the server refuses all that follows in the transaction. */
function isAftermath(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}

/** Of several statements under way what failed first is the one to tell, whoever's answer was looked at first. */
export async function findFirstFailure(session: Session, error: unknown): Promise<unknown> {
  await Promise.allSettled([session.settle()]);
  return session.causeOf(error);
}
