// Agents that work together through tags and events, each a process of its own, as docs/memory-service.md describes it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLAIN_ENV } from '../e2e/program.ts';
import { KEY, startService } from './rest-client.ts';

interface Agent {
  ended: Promise<unknown[]>;
  out(): string;
}

function startAgent(role: string, url: string): Agent {
  const script = join(import.meta.dirname, '..', 'e2e', 'pipeline-agent.ts');
  const child = spawn(process.execPath, [script, role, url, KEY], { env: PLAIN_ENV });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'exit').then(([code]) => {
    assert.equal(code, 0, `${role}: ${errors}`);
    return [code];
  });
  return { ended, out: () => out };
}

test('two agents in two processes hand work to each other through tags and events, and each finds only what is meant for it', async (t) => {
  const rest = await startService();
  t.after(() => rest.close());
  const writer = startAgent('writer', rest.server.url);
  const researcher = startAgent('researcher', rest.server.url);
  await Promise.all([writer.ended, researcher.ended]);
  assert.match(researcher.out(), /^asked: Write about ferries/m);
  assert.match(writer.out(), /^told: Ferries to Zanzibar leave at noon/m);
  const { body } = await rest.send('POST', '/api/search/by-tag', { tags: ['agent:writer'] });
  assert.deepEqual(
    body.results.map(({ memory }: { memory: { tags: string[] } }) => memory.tags.toSorted()),
    [['agent:writer', 'msg:researcher']],
  );
});
