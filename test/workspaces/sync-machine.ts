import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Answer } from '../e2e/mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { AI_TOKEN, SYNC_TOKEN } from './federated-server.ts';

export interface Machine {
  home: string;
  write(path: string, text: string): string;
  read(path: string): string | null;
  /** What `ltm sync` says as JSON, and how it ended. */
  sync(words: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<Synced>;
}

export interface Synced {
  code: number;
  out: string;
  err: string;
  answer: Answer;
}

/** A home folder that stands for a machine, with `ltm sync` as a process of its own. */
export function makeMachine(t: TestContext, url: string): Machine {
  const home = mkdtempSync(join(tmpdir(), 'ltm-machine-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const at = (path: string): string => join(home, ...path.split('/'));
  return {
    home,
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
      return at(path);
    },
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null),
    async sync(words, { stdin = '', env = {} } = {}) {
      const tokens = { MCP_MEMORY_URL: `${url}/mcp`, MCP_MEMORY_TOKEN: AI_TOKEN, SYNC_TOKEN };
      const child = spawn(process.execPath, [PROGRAM, 'sync', ...words, '--json'], {
        cwd: home,
        env: { ...PLAIN_ENV, HOME: home, ...tokens, ...env },
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      child.stdin.end(stdin);
      const [code] = (await once(child, 'close')) as [number];
      return { code, out, err, answer: out === '' ? {} : (JSON.parse(out) as Answer) };
    },
  };
}
