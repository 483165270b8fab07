import { styleText } from 'node:util';
import type { Environment } from '../settings/settings.ts';
import { safeJson } from './safe-text.ts';

/** The part of a stream that the command line needs; `process.stdout` is one. */
export interface OutputStream {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface Streams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'underline';

const MAX_WIDTH = 120;

/** Where a command speaks: results on stdout, everything else on stderr. */
export interface Terminal {
  /** Columns to fill. */
  width: number;
  readonly isInteractive: boolean;
  /** stdout is a terminal and not a file or a pipe. */
  showsToPerson: boolean;
  streams: Streams;
  /** `paint` makes a difference. */
  showsColours: boolean;
  paint(style: Style, text: string): string;
  print(line: string): void;
  printJson(value: unknown): void;
  /** For people, on stderr; silent with --quiet. */
  note(line: string): void;
  warn(line: string): void;
}

export function createTerminal(streams: Streams, env: Environment, options: { quiet: boolean }): Terminal {
  const { stdout } = streams;
  const stdoutColours = usesColours(stdout, env);
  const showsToPerson = stdout.isTTY === true;
  return {
    width: Math.max(40, Math.min(stdout.columns || Number(env.COLUMNS) || 80, MAX_WIDTH)),
    // To look at stdin or stderr is to open it, which most commands never need.
    get isInteractive() {
      return streams.stdin.isTTY === true && streams.stderr.isTTY === true;
    },
    showsToPerson,
    streams,
    showsColours: stdoutColours,
    paint: (style, text) => (stdoutColours ? paint(style, text) : text),
    print: (line) => void stdout.write(`${line}\n`),
    printJson: (value) =>
      void stdout.write(`${safeJson(JSON.stringify(value, null, showsToPerson ? 2 : undefined))}\n`),
    note: (line) => void (options.quiet || streams.stderr.write(`${line}\n`)),
    warn(line) {
      const { stderr } = streams;
      stderr.write(`${usesColours(stderr, env) ? paint('yellow', 'warning:') : 'warning:'} ${line}\n`);
    },
  };
}

/** Resolves when the stream can take more: a large export must not pile up in memory. */
export async function writeAll(stream: OutputStream, text: string): Promise<void> {
  if (!stream.write(text)) await new Promise<void>((resolve) => stream.once('drain', resolve));
}

export function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false });
}

export function usesColours(stream: { isTTY?: boolean }, env: Environment): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
