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
import { type ClientName, createHandshake, type Handshake } from './handshake.ts';
import { type PlainCall, readPlainCall } from './plain-call.ts';
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

type Send = (message: Message) => void;

/** The SDK with all that it can answer. */
export interface Backend {
  receive(message: Message): void;
  close(): Promise<void>;
}

/** Everything that is heavy, each loaded when it is first needed. */
export interface Behind {
  load(send: Send, firstMethod: string): Promise<Backend>;
  /** Answers a call with nothing to it but the call, without the SDK. null: only the SDK can. */
  call(call: PlainCall, client: ClientName, send: Send): Promise<object | null>;
  /** Reads the programs that a first call will need, and opens nothing. */
  prepare(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Answers the handshake and the lists from fixed text, and loads the rest at the first message that needs it; the SDK, which few messages need, then gets the
 * handshake replayed. Writes nothing but protocol. Resolves when the input has ended, what was running is answered (or out of time) and all is closed.
 */
export function serveStdioFront(streams: Streams, behind: Behind, handshake = createHandshake()): Promise<void> {
  const front = new StdioFront(streams, behind, handshake);
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
  readonly #behind: Behind;
  readonly #handshake: Handshake;
  readonly #running = new Set<MessageId>();
  /** Those that are answered without the SDK; one that is cancelled leaves. */
  readonly #calls = new Set<PlainCall>();
  readonly #waiting: Message[] = [];
  #loading: Promise<Backend | null> | null = null;
  #backend: Backend | null = null;
  #isFull = false;
  #isPreparing = false;
  #whenIdle: (() => void) | null = null;

  constructor(streams: Streams, behind: Behind, handshake: Handshake) {
    this.#streams = streams;
    this.#behind = behind;
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
    const closed = Promise.resolve(this.#loading)
      .then((backend) => backend?.close())
      .then(() => this.#behind.close());
    await within(CLOSE_MS, Promise.all([closed, flushed]));
  }

  #receive(message: Message): void {
    if (message.method === 'notifications/cancelled' && this.#cancel(message.params?.requestId as MessageId)) return;
    const reply = this.#loading === null ? this.#handshake.reply(message) : null;
    if (reply !== null) {
      if (reply.result !== null)
        this.#write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${reply.result}}`);
      if (message.method === 'tools/list' || message.method === 'notifications/initialized') this.#prepareSoon();
      return;
    }
    const client = this.#handshake.client();
    const call = client === null ? null : readPlainCall(message);
    if (client !== null && call !== null) void this.#call(call, client, message);
    else this.#handOver(message);
  }

  async #call(call: PlainCall, client: ClientName, message: Message): Promise<void> {
    this.#running.add(call.id);
    this.#calls.add(call);
    try {
      const result = await this.#behind.call(call, client, (notice) => this.#calls.has(call) && this.#send(notice));
      if (!this.#calls.has(call)) return;
      if (result === null) this.#handOver(message);
      else this.#send({ jsonrpc: '2.0', id: call.id, result } as Message);
    } catch (error) {
      if (this.#calls.has(call)) this.refuse(call.id, INTERNAL_ERROR, explainStart(error));
    } finally {
      this.#calls.delete(call);
    }
  }

  /** A cancelled call is never answered. */
  #cancel(id: MessageId): boolean {
    const cancelled = [...this.#calls].filter((call) => call.id === id);
    for (const call of cancelled) this.#calls.delete(call);
    if (cancelled.length > 0) this.#settle(id);
    return cancelled.length > 0;
  }

  #handOver(message: Message): void {
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
    setTimeout(() => void this.#behind.prepare().catch(() => undefined), PREPARE_AFTER_MS).unref();
  }

  async #takeOver(firstMethod: string): Promise<Backend | null> {
    try {
      const backend = await this.#behind.load((message) => this.#send(message), firstMethod);
      const replay = this.#handshake
        .replay()
        .map((message, index) => (isRequest(message) ? { ...message, id: `${REPLAYED}${index}` } : message));
      for (const message of [...replay, ...this.#waiting.splice(0)]) backend.receive(message);
      this.#backend = backend;
      return backend;
    } catch (error) {
      this.#loading = null;
      for (const message of this.#waiting.splice(0))
        if (isRequest(message)) this.refuse(message.id, INTERNAL_ERROR, explainStart(error));
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

function explainStart(error: unknown): string {
  return `The server could not start: ${error instanceof Error ? error.message : String(error)}`;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
