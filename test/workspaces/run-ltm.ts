import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** One command of the program, in a home of its own, under whatever umask. */
export async function runLtm(
  home: string,
  words: readonly string[],
  { umask = '022', env = {} }: { umask?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const argv = ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, PROGRAM, ...words];
  const child = spawn('sh', argv, { cwd: home, env: { ...PLAIN_ENV, HOME: home, ...env } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}
