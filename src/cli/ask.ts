import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { Arguments } from './read-arguments.ts';
import { EXIT, UsageError } from './report-error.ts';
import type { Terminal } from './terminal.ts';

/** Asks on stderr; anything but yes is no. */
export async function ask(question: string, { streams }: Terminal): Promise<boolean> {
  const dialogue = createInterface({ input: streams.stdin, output: streams.stderr as NodeJS.WritableStream });
  try {
    return /^y(es)?$/i.test((await dialogue.question(`${question} [y/N] `)).trim());
  } finally {
    dialogue.close();
  }
}

interface Question {
  args: Arguments;
  terminal: Terminal;
  /** What cannot be done unasked: `purging`. */
  what: string;
}

/** Before something that nothing undoes. `show` tells what it is and gives the question; null: there is nothing to ask about. */
export async function confirm(
  show: () => Promise<string | null>,
  { args, terminal, what }: Question,
): Promise<boolean> {
  if (args.isOn('yes')) return true;
  if (!terminal.isInteractive)
    throw new UsageError(
      `Without a terminal, ${what} needs --yes.`,
      '`ltm help` with the name of the command tells what it does.',
    );
  const question = await show();
  return question === null || ask(question, terminal);
}

/** For what has been shown and is about to be done; a script says so with --yes. */
export async function confirmPlan(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInteractive)
    throw new UsageError('There is no terminal to ask for confirmation.', 'Check with --dry-run, then add --yes.');
  return ask(question, terminal);
}

/** From a pipe its first line; from a terminal twice, without showing it. */
export async function readPassword({ streams, isInteractive }: Terminal): Promise<string> {
  const { stdin } = streams;
  if (stdin.isTTY !== true) return nonEmpty((await text(stdin)).split(/\r?\n/)[0]!);
  if (!isInteractive)
    throw new UsageError(
      'There is no terminal to ask for the password.',
      'Pipe it in: `ltm users passwd NAME < file`.',
    );
  const first = nonEmpty(await readHidden(streams, 'New password: '));
  if (first !== (await readHidden(streams, 'Once more: '))) throw new UsageError('The passwords do not match.');
  return first;
}

function nonEmpty(password: string): string {
  if (password === '') throw new UsageError('The password is empty.');
  return password;
}

function readHidden({ stdin, stderr }: Terminal['streams'], question: string): Promise<string> {
  const keyboard = stdin as NodeJS.ReadStream;
  stderr.write(question);
  keyboard.setRawMode(true);
  keyboard.setEncoding('utf8');
  keyboard.resume();
  return new Promise((resolve) => {
    let typed = '';
    const take = (keys: string): void => {
      for (const key of keys) {
        if (key === '\u0003') {
          end();
          process.exit(EXIT.interrupted);
        } else if (key === '\r' || key === '\n' || key === '\u0004') {
          end();
          resolve(typed);
          return;
        } else if (key === '\u007f' || key === '\b') typed = [...typed].slice(0, -1).join('');
        else typed += key;
      }
    };
    const end = (): void => {
      keyboard.off('data', take);
      keyboard.setRawMode(false);
      keyboard.pause();
      stderr.write('\n');
    };
    keyboard.on('data', take);
  });
}
