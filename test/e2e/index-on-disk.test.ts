import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OWNER_SPACE } from '../../src/model/caller.ts';
import { systemClock } from '../../src/settings/system-clock.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Segments and passages of the stored index, and how many memories lack their vectors. */
async function readIndex(db: string): Promise<{ segments: number; passages: number; unembedded: number }> {
  const store = await openStore(db, { clock: systemClock, log: silent });
  const segments = await store.readSegments(OWNER_SPACE, await store.listSegments(OWNER_SPACE));
  const [embedder = ''] = segments.flatMap((segment) => segment.embedder ?? []);
  const unembedded = await store.listUnembedded(OWNER_SPACE, embedder, 10_000);
  await store.close();
  const passages = segments.reduce((sum, segment) => sum + segment.passages, 0);
  return { segments: segments.length, passages, unembedded: unembedded.length };
}

function makeFolder(context: TestContext): (...words: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-index-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...PLAIN_ENV, HOME: folder };
  return (...words) => execFileSync(process.execPath, [PROGRAM, ...words], { env, cwd: folder, encoding: 'utf8' });
}

test('`ltm mcp` leaves an index when it ends, and `ltm import` ends with every memory embedded and in one segment', async (context) => {
  const agent = await startMcpProcess();
  context.after(() => agent.close());
  for (let i = 0; i < 1000; i++)
    await agent.call('memory_store', { content: `Berth ${i} of the harbour is number ${i * 7}.` });
  await agent.restart();
  const left = await readIndex(agent.db);
  assert.ok(left.segments > 0 && left.segments < 8, `${left.segments} segments`);
  assert.ok(left.passages > 900, 'what `ltm mcp` leaves is stored when it ends');
  const ltm = makeFolder(context);
  ltm('export', 'memories.jsonl', '--db', agent.db);
  ltm('import', 'memories.jsonl', '--db', 'imported.db');
  const db = ltm('config', 'get', 'db', '--db', 'imported.db').trim();
  assert.deepEqual(await readIndex(db), { segments: 1, passages: 1000, unembedded: 0 });
});
