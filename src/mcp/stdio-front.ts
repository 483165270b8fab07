import type { Readable, Writable } from 'node:stream';
import {
  errorMessage,
  type Fault,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRequest,
  isResponse,
  type Message,
  type MessageId,
  readMessage,
} from '../model/json-rpc.ts';
import { createHandshake, type Handshake } from './handshake.ts';
import { createLineReader } from './read-lines.ts';

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** The process must be gone 2 s after its input ended: this long for calls that are running, then the rest for closing. */
const DRAIN_MS = 1400;
const CLOSE_MS = 300;
/** After the handshake a client is busy with its model: the programs are read meanwhile, so that its first call does not wait for them. */
const PREPARE_AFTER_MS = 50;
/** Ids of requests whose answers the client has; a client that used such ids itself would only deprive itself of answers. */
const REPLAYED = 'ltm/replayed/';

export interface Streams {
  input: Readable;
  output: Writable;
}

/** Everything that is heavy: the SDK, the tools, the engine behind them. */
export interface Backend {
  receive(message: Message): void;
  close(): Promise<void>;
}

export interface LoadBackend {
  (send: (message: Message) => void, firstMethod: string): Promise<Backend>;
  /** Reads the programs that a first call will need, and opens nothing. */
  prepare?(): Promise<unknown>;
}

/**
 * Answers the handshake and the lists from fixed text, and loads the rest at the first message that needs it; the SDK then gets the handshake replayed.
 * Writes nothing but protocol. Resolves when the input has ended, what was running is answered (or out of time) and the backend is closed.
 */
export function serveStdioFront(streams: Streams, load: LoadBackend, handshake = createHandshake()): Promise<void> {
  const front = new StdioFront(streams, load, handshake);
  const { input, output } = streams;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (isCut: boolean) => (): void => {
      if (isOver) return;
      isOver = true;
      front.finish(isCut).then(resolve, reject);
    };
    input.on(
      'data',
      createLineReader(
        MAX_MESSAGE_BYTES,
        (line) => front.readLine(line),
        () => front.refuse(null, INVALID_REQUEST, `A message was longer than ${MAX_MESSAGE_BYTES} bytes.`),
      ),
    );
    input.once('end', end(false));
    input.once('close', end(false));
    input.once('error', end(true));
    // the client is gone (EPIPE): nobody is left to answer
    output.on('error', end(true));
    output.once('close', end(true));
  });
}

class StdioFront {
  readonly #streams: Streams;
  readonly #load: LoadBackend;
  readonly #handshake: Handshake;
  readonly #running = new Set<MessageId>();
  readonly #waiting: Message[] = [];
  #loading: Promise<Backend | null> | null = null;
  #backend: Backend | null = null;
  #isFull = false;
  #isPreparing = false;
  #whenIdle: (() => void) | null = null;

  constructor(streams: Streams, load: LoadBackend, handshake: Handshake) {
    this.#streams = streams;
    this.#load = load;
    this.#handshake = handshake;
  }

  readLine(line: string): void {
    const { body, fault } = readMessage(line);
    if (fault === null) this.#receive(body as Message);
    else this.refuse(...fault);
  }

  refuse(...fault: Fault): void {
    this.#write(errorMessage(...fault));
    if (fault[0] !== null) this.#settle(fault[0]);
  }

  async finish(isCut: boolean): Promise<void> {
    if (!isCut && this.#running.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
      await within(DRAIN_MS, idle);
    }
    const flushed = isCut ? null : new Promise<void>((resolve) => this.#streams.output.write('', () => resolve()));
    await within(CLOSE_MS, Promise.all([this.#loading?.then((backend) => backend?.close()), flushed]));
  }

  #receive(message: Message): void {
    const reply = this.#loading === null ? this.#handshake.reply(message) : null;
    if (reply !== null) {
      if (reply.result !== null)
        this.#write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${reply.result}}`);
      if (message.method === 'tools/list' || message.method === 'notifications/initialized') this.#prepareSoon();
      return;
    }
    // a subscription stays open for good, a cancelled call is never answered: nothing to wait for at the end
    if (isRequest(message) && message.method !== 'subscriptions/listen') this.#running.add(message.id);
    else if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId as MessageId);
    if (this.#backend !== null) this.#backend.receive(message);
    else this.#waiting.push(message);
    this.#loading ??= this.#takeOver(message.method ?? '');
  }

  /** What fails here is tried again, and told, by the first call. */
  #prepareSoon(): void {
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    setTimeout(() => void this.#load.prepare?.().catch(() => undefined), PREPARE_AFTER_MS).unref();
  }

  async #takeOver(firstMethod: string): Promise<Backend | null> {
    try {
      const backend = await this.#load((message) => this.#send(message), firstMethod);
      const replay = this.#handshake
        .replay()
        .map((message, index) => (isRequest(message) ? { ...message, id: `${REPLAYED}${index}` } : message));
      for (const message of [...replay, ...this.#waiting.splice(0)]) backend.receive(message);
      this.#backend = backend;
      return backend;
    } catch (error) {
      this.#loading = null;
      const reason = error instanceof Error ? error.message : String(error);
      for (const message of this.#waiting.splice(0))
        if (isRequest(message)) this.refuse(message.id, INTERNAL_ERROR, `The server could not start: ${reason}`);
      return null;
    }
  }

  #send(message: Message): void {
    if (isResponse(message) && String(message.id).startsWith(REPLAYED)) return;
    this.#write(JSON.stringify(message));
    if (isResponse(message)) this.#settle(message.id);
  }

  #settle(id: MessageId): void {
    this.#running.delete(id);
    if (this.#running.size === 0) this.#whenIdle?.();
  }

  /** Reads no further while the client does not read. */
  #write(line: string): void {
    const { input, output } = this.#streams;
    if (output.write(`${line}\n`) || this.#isFull) return;
    this.#isFull = true;
    input.pause();
    output.once('drain', () => {
      this.#isFull = false;
      input.resume();
    });
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
