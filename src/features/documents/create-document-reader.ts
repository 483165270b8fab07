import { Worker } from 'node:worker_threads';
import { EngineError, type ErrorCode, type ErrorOptions } from '../../model/errors.ts';
import { lateFunctions } from '../../model/late.ts';
import type { ReadDocument } from './document.ts';
import type { DocumentFile, DocumentReader } from './document-reader.ts';
import { BINARY_FORMATS, detectFormat } from './readers/formats.ts';
import { readDocument } from './readers/read-document.ts';

const { fetchUrl } = lateFunctions(() => import('./fetch-url.ts'), 'fetchUrl');

export interface ReaderLimits {
  /** How long one file may take. */
  timeoutMs: number;
  /** Heap of the thread. */
  memoryMb: number;
  /** Larger files, and those that take programs to read, are read in a thread of their own. */
  inlineBytes: number;
}

export interface ReaderOptions extends Partial<ReaderLimits> {
  /** Whether it may ask other machines; `loopback`, for tests, this one too. */
  urls?: boolean | 'loopback';
}

const LIMITS: ReaderLimits = { timeoutMs: 120_000, memoryMb: 1024, inlineBytes: 200_000 };
/** Its parser takes the square of the time for what is nested without end. */
const HTML_BYTES = 16_000;
/** A folder of many files keeps one thread busy; nobody keeps it afterwards. */
const IDLE_MS = 5000;

type Answer = { document: ReadDocument } | { failure: { message: string; code: ErrorCode } & ErrorOptions };

/** Reads documents one after the other. Nothing is loaded before the first one. */
export function createDocumentReader({ urls = false, ...limits }: ReaderOptions = {}): DocumentReader {
  const { timeoutMs, memoryMb, inlineBytes } = { ...LIMITS, ...limits };
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };

  const readInThread = (file: DocumentFile): Promise<ReadDocument> => {
    if (idle !== null) clearTimeout(idle);
    worker ??= startThread(memoryMb);
    const thread = worker;
    thread.ref();
    return new Promise<ReadDocument>((resolve, reject) => {
      const settle = (end: () => void, isUsable: boolean): void => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', failed).off('exit', ended);
        if (isUsable) {
          thread.unref();
          idle = setTimeout(() => void stop(), IDLE_MS);
          idle.unref();
          end();
        } else stop().then(end, end);
      };
      const timer = setTimeout(() => settle(() => reject(tookTooLong(file, timeoutMs)), false), timeoutMs);
      const answered = (answer: Answer): void => settle(() => settleAnswer(answer, resolve, reject), true);
      const failed = (error: Error): void => settle(() => reject(describeEnd(error, file, memoryMb)), false);
      const ended = (): void => settle(() => reject(describeEnd(null, file, memoryMb)), false);
      // the thread listens to itself too: only these are taken away again
      thread.on('message', answered).on('error', failed).on('exit', ended);
      const { name, bytes, mediaType } = file;
      thread.postMessage({ name, bytes, mediaType });
    });
  };

  return {
    async read(file) {
      const format = detectFormat(file.name, file.bytes, file.mediaType);
      const most = format === 'html' ? Math.min(inlineBytes, HTML_BYTES) : inlineBytes;
      const isHeavy = BINARY_FORMATS.includes(format) || file.bytes.byteLength > most;
      if (!isHeavy) return readDocument(file);
      const reading = last.then(() => readInThread(file));
      last = reading.catch(() => undefined);
      return reading;
    },
    ...(urls !== false && {
      fetch: (url: string, maxBytes: number) => fetchUrl(url, { maxBytes, allowLoopback: urls === 'loopback' }),
    }),
    async close() {
      await stop();
    },
  };
}

/** Beside this file in the sources, and beside the bundle in the package. */
function startThread(memoryMb: number): Worker {
  const file = import.meta.url.endsWith('.ts') ? './reader-thread.ts' : './reader-thread.js';
  return new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
    env: {},
  });
}

function settleAnswer(answer: Answer, resolve: (document: ReadDocument) => void, reject: (error: Error) => void): void {
  if ('document' in answer) resolve(answer.document);
  else {
    const { code, message, hint, details } = answer.failure;
    reject(new EngineError(code, message, { hint, details }));
  }
}

function tookTooLong({ name }: DocumentFile, timeoutMs: number): EngineError {
  return new EngineError(
    'too_large',
    `Reading ${name} took longer than ${timeoutMs / 1000} seconds and was given up.`,
    {
      hint: 'Split the file, or save it in a plainer format.',
      details: { field: 'name', reason: 'took_too_long', limit: timeoutMs },
    },
  );
}

function describeEnd(error: Error | null, { name }: DocumentFile, memoryMb: number): EngineError {
  const isFull = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isFull)
    return new EngineError('invalid_input', `${name} cannot be read.`, {
      cause: error ?? undefined,
      details: { field: 'name', reason: 'damaged' },
    });
  return new EngineError('too_large', `Reading ${name} took more than ${memoryMb} MB of memory and was given up.`, {
    hint: 'Split the file, or save it in a plainer format.',
    details: { field: 'name', reason: 'too_much_memory', limit: memoryMb },
  });
}
