import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ImportOptions } from '../src/features/transfer/import-records.ts';
import { DAY, makeCaller, openTestEngine, type TestEngine } from './open-test-engine.ts';

const caller = makeCaller('cli');

export async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** As somebody writes a line who keeps no sum of it. */
export const withoutSum = (line: string) => line.replace(/,"crc":"[0-9a-f]{8}"\}$/, '}');

export async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

export const importLines = ({ engine }: TestEngine, lines: readonly string[], options: ImportOptions = {}) =>
  engine.importRecords(caller, each(lines), options);

/** Memories of every sort: plain, changed twice, superseded, deleted, with a key, with odd characters. */
export async function fill(t: TestContext): Promise<TestEngine> {
  const test = await openTestEngine(t);
  const { engine, clock } = test;
  const agent = makeCaller('mcp', { client: 'codex/1' });
  const first = await engine.storeMemory(agent, {
    content: 'first "quoted" \u2028 line\n認証エラー 😀',
    tags: 'a b,c',
    metadata: { n: [1, { x: null }] },
    host: 'h',
  });
  assert.ok('memory' in first);
  clock.time += 5;
  await engine.updateMemory(caller, { ref: first.memory.id, content: 'first, changed', reason: 'because' });
  await engine.updateMemory(caller, { ref: first.memory.id, tags: 'd' });
  const port = await engine.storeMemory(caller, {
    content: 'The port is 8000.',
    key: 'port',
    project: 'p',
    quality: 0.25,
    validFrom: 5,
    validUntil: clock.time + DAY,
  });
  assert.ok('memory' in port);
  clock.time += 5;
  await engine.updateMemory(caller, { ref: port.memory.id, content: 'The port is 9000.', versioned: true });
  const gone = await engine.storeMemory(caller, {
    content: 'to be deleted',
    conversation: 'c',
    session: 's',
    agent: 'g',
  });
  assert.ok('memory' in gone);
  await engine.deleteMemories(caller, { refs: [gone.memory.id] });
  return test;
}
