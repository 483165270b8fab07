import pg from 'pg';

/** Signature and flags, then the length of an extension. */
const HEADER_BYTES = 19;
/** Before each value: how many columns the row has, how long the value is. */
const ROW_BYTES = 6;

/**
 * Hands over the one bytea column of the rows, each as it comes: `take` must copy what it keeps. The driver makes text of all that a query answers, so
 * that bytes come as hex and cost four times as much; what COPY sends it leaves alone.
 */
export function copyOut(client: pg.ClientBase, select: string, take: (bytes: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOut(`COPY (${select}) TO STDOUT (FORMAT binary)`, readRows(take), (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  });
}

/** A class because the driver, when it sends queries without waiting for answers, takes no others than its own kind. */
class CopyOut extends pg.Query {
  callback: (error?: Error | null) => void;
  readonly #read: (chunk: Buffer) => void;
  #failure: Error | null = null;

  constructor(sql: string, read: (chunk: Buffer) => void, done: (error: Error | null) => void) {
    super(sql);
    this.#read = read;
    this.callback = (error) => done(error ?? this.#failure);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    try {
      if (this.#failure === null) this.#read(chunk);
    } catch (error) {
      // Here the driver would lose the connection, and the program, over it.
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** What PostgreSQL calls the binary format of COPY; the last two bytes, which end it, are left over. */
function readRows(take: (bytes: Uint8Array) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    if (!isBegun && data.length >= HEADER_BYTES) {
      at = HEADER_BYTES + data.readInt32BE(HEADER_BYTES - 4);
      isBegun = true;
    }
    while (isBegun && at + ROW_BYTES <= data.length) {
      const end = at + ROW_BYTES + data.readInt32BE(at + 2);
      if (end > data.length) break;
      take(data.subarray(at + ROW_BYTES, end));
      at = end;
    }
    rest = Buffer.from(data.subarray(at));
  };
}
