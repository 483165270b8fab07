import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runLtm } from './packet-server.ts';

/** A home folder with a database of its own, signed in to a server. */
export interface Machine {
  home: string;
  /** A command on this machine's own database; fails the test where it fails. */
  ltm(...words: string[]): Promise<string>;
  tell(...words: string[]): ReturnType<typeof runLtm>;
  sync(
    ...words: string[]
  ): Promise<{ pulled: number; pushed: number; in_sync: boolean | null; renewed: string | null }>;
  list(): Promise<string[]>;
}

export function makeFolder(context: TestContext, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `ltm-sync-${name}-`));
  context.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function makeMachine(
  context: TestContext,
  name: string,
  server: { url: string; token: string },
): Promise<Machine> {
  const home = makeFolder(context, name);
  const tell = (...words: string[]) => runLtm(home, words);
  const ltm = async (...words: string[]) => {
    const { code, stdout, stderr } = await tell(...words);
    assert.equal(code, 0, `ltm ${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  await ltm('auth', server.url, server.token);
  await ltm('config', 'unset', 'server');
  return {
    home,
    ltm,
    tell,
    sync: async (...words) => JSON.parse(await ltm('sync', 'memory', '--to', server.url, '--json', ...words)),
    async list() {
      const { memories } = JSON.parse(await ltm('list', '--limit', '100', '--json')) as {
        memories: { content: string }[];
      };
      return memories.map(({ content }) => content).sort();
    },
  };
}

export async function storeOn(machine: Machine, ...words: string[]): Promise<string> {
  return (JSON.parse(await machine.ltm('store', ...words, '--json')) as { memory: { id: string } }).memory.id;
}

/** Beside the database, or beside the settings where that is no file. */
export function ownerToken(folder: string): string {
  const places = [join(folder, 'owner-token'), join(folder, '.config', 'ltm', 'owner-token')];
  return readFileSync(places.find((place) => existsSync(place)) ?? places[0]!, 'utf8').trim();
}
