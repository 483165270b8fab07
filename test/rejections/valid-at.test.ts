import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startMcpProcess } from '../e2e/mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-valid-at-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('valid_at asks what held then, as_of what was known then, by command and by agent', async () => {
  const agent = await startMcpProcess();
  after(() => agent.close());
  const run = (...words: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [PROGRAM, ...words, '--json', '--db', agent.db], {
        env: { ...PLAIN_ENV, HOME: home },
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString(),
    );
  const [bonn, berlin, always] = ['The office is in Bonn.', 'The office is in Berlin.', 'The office has a cat.'];
  run('store', bonn!, '--valid-from', '2020-01-01', '--valid-until', '2023-12-31');
  run('store', berlin!, '--valid-from', '2024-01-01');
  run('store', always!);
  const listed = (...words: string[]): string[] =>
    run('list', ...words)
      .memories.map(({ content }: { content: string }) => content)
      .toSorted();
  assert.deepEqual(listed('--valid-at', '2022-06-01'), [bonn, always].toSorted());
  assert.deepEqual(listed('--valid-at', '2023-12-31'), [bonn, always].toSorted());
  assert.deepEqual(listed('--valid-at', '2024-01-01'), [berlin, always].toSorted());
  assert.deepEqual(listed(), [berlin, always].toSorted());
  assert.deepEqual(listed('--as-of', '2022-06-01'), [], 'nothing was known then');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(listed('--as-of', tomorrow, '--valid-at', '2022-06-01'), [bonn, always].toSorted());
  const titles = (hits: { title?: string; snippet: string }[]) =>
    hits.map(({ title, snippet }) => title ?? snippet).toSorted();
  assert.deepEqual(titles(run('search', 'office', '--valid-at', '2022-06-01').hits), [bonn, always].toSorted());
  assert.deepEqual(
    titles(run('search', 'office', '--as-of', tomorrow, '--valid-at', '2022-06-01').hits),
    [bonn, always].toSorted(),
  );
  const found = await agent.call('memory_search', { query: 'office', valid_at: '2022-06-01' });
  assert.deepEqual(titles(found.hits), [bonn, always].toSorted());
});
