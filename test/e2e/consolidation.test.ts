import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-ageing-'));
after(() => rmSync(home, { recursive: true, force: true }));
const run = (...words: string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8', env: { ...PLAIN_ENV, HOME: home, TZ: 'UTC' } });
const ltm = (...words: string[]): string => {
  const { status, stdout, stderr } = run(...words);
  assert.equal(status, 0, stderr);
  return stdout;
};
const idOf = (stdout: string): string => /[0-9a-z]{20}/.exec(stdout)![0];

test('a person rates, consolidates, cleans up and takes it back in a terminal', () => {
  const id = idOf(ltm('store', 'Deploys happen on Tuesdays.'));
  assert.match(ltm('rate', id, 'good', '--feedback', 'yes'), /quality 0\.5 → 0\.8/);
  assert.match(ltm('quality', id), /Quality 0\.8: from 0\.5, rated 1 by owner[\s\S]*Relevance 1\.4/);
  assert.match(ltm('quality'), /^1 memory, quality 0\.8 on average/);
  assert.equal(run('rate', id, 'great').status, 2);
  const noise = idOf(ltm('store', 'test asdf'));
  assert.match(run('consolidate', 'run', 'monthly', '--dry-run').stdout, /Archived: 1\.\n.*noise: test asdf/);
  assert.match(ltm('consolidate', 'run', 'monthly'), /Archived: 1\./);
  assert.match(ltm('archive'), /test asdf/);
  assert.match(ltm('consolidate'), /daily +not scheduled[\s\S]*monthly, done, 1 archived/);
  assert.match(ltm('consolidate', 'undo'), /1 restored, 0 removed/);
  assert.equal(run('consolidate', 'run').status, 2);
  assert.equal(run('consolidate', 'undo', 'nonsense').status, 3);
  ltm('archive', noise);
  assert.match(ltm('restore', noise), /test asdf/);
  ltm('store', 'The office closes at six.', '--session', 'a');
  ltm('store', 'The office closes at six!', '--session', 'b');
  assert.match(ltm('cleanup'), /Would merge 1 of 4/);
  assert.match(ltm('cleanup', '--apply'), /Merged 1 of 4/);
  assert.match(ltm('maintain'), /duplicates +examined 3, groups 0/);
  const report = JSON.parse(ltm('consolidate', 'run', 'weekly', '--json')) as { horizon: string; dry_run: boolean };
  assert.deepEqual([report.horizon, report.dry_run], ['weekly', false]);
});

test('a schedule that cannot be read is refused where it is set, with an example', () => {
  const { status, stderr } = run('config', 'set', 'consolidation_schedule', 'hourly 01:00');
  assert.notEqual(status, 0);
  assert.match(stderr, /daily 02:00/);
});

test('an agent does the same with the tools of the family upkeep, which the default list leaves out', async () => {
  const mcp = await startMcpProcess();
  try {
    const listed = (await mcp.client.listTools()).tools.map(({ name }) => name);
    assert.ok(!listed.includes('memory_consolidate'));
    const { id } = await mcp.call('memory_store', { content: 'The cache is warmed at five.' });
    assert.equal(
      Math.round((await mcp.call('memory_quality', { action: 'rate', id, rating: 'bad' })).quality * 100),
      20,
    );
    assert.equal((await mcp.call('memory_quality', { action: 'get', content_hash: id })).facts.events.length, 1);
    assert.equal((await mcp.call('memory_quality', { action: 'analyze' })).total, 1);
    assert.equal((await mcp.call('memory_quality', { action: 'maintain' })).dry_run, true);
    await mcp.call('memory_store', { content: 'test test' });
    const done = await mcp.call('memory_consolidate', { action: 'run', time_horizon: 'monthly' });
    assert.equal(done.forgetting.archived, 1);
    assert.equal((await mcp.call('memory_consolidate', { action: 'undo' })).restored, 1);
    assert.equal((await mcp.call('memory_consolidate', { action: 'status' })).runs[0].id, done.run);
    assert.equal((await mcp.call('memory_cleanup')).dry_run, true);
    assert.equal((await mcp.fail('memory_consolidate', { action: 'run' })).code, 'invalid_input');
    assert.equal((await mcp.fail('memory_quality', { action: 'rate', id })).code, 'invalid_input');
  } finally {
    await mcp.close();
  }
});
