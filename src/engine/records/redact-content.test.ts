import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { bookmarkKind } from '../../../test/features/bookmark/bookmark-kind.ts';
import { engineError, makeCaller, openTestEngine, type TestEngine } from '../../../test/open-test-engine.ts';
import type { StoreOutcome } from '../../features/memories/memory.ts';

const agent = makeCaller('mcp');
const person = makeCaller('cli');
/** Put together here, so that no file of the project looks like it held a secret. */
const GITHUB = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'F6g7H8'].join('');
const AWS = ['AK', 'IA', 'QRSTUVWXYZ234567'].join('');
const PASSWORD = ['Tr0ub4dor', '&3x'].join('');

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Everything that lies in the folder of the database, as it lies there. */
function atRest({ path }: TestEngine): string {
  const folder = dirname(path);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

function memoryOf(outcome: StoreOutcome) {
  assert.ok('memory' in outcome, outcome.outcome);
  return outcome.memory;
}

describe('what is about to be stored', () => {
  test('loses them with an import in relations and in what is kept beside a record, too', async (context) => {
    const source = await openTestEngine(context, { settings: { redact: 'off' } });
    const [from, to] = await Promise.all(
      ['The crane starts cold', 'The harbour freezes'].map(async (content) => {
        const { id } = memoryOf(await source.engine.storeMemory(person, { content }));
        return id;
      }),
    );
    await source.engine.updateMemory(person, { ref: from!, tags: 'changed' });
    await source.engine.relate(person, { from: from!, to: to!, type: 'because', note: `see ${GITHUB}` });
    const lines = await collect(source.engine.exportRecords(person, {}));
    assert.ok(lines.some((line) => line.includes(GITHUB)));
    const target = await openTestEngine(context);
    const report = await target.engine.importRecords(person, each(lines), {});
    assert.deepEqual([report.records, report.relations, report.redacted.length], [2, 1, 1]);
    assert.ok(!atRest(target).includes(GITHUB));
  });

  test('loses its secrets in every text, and the outcome says what and where', async (context) => {
    const opened = await openTestEngine(context);
    const outcome = await opened.engine.storeMemory(agent, {
      content: `Deploys use\n${GITHUB} on main.`,
      tags: ['ci', AWS],
      type: 'note',
      project: 'shop',
      session: `run ${AWS}`,
      author: `ada ${GITHUB}`,
      metadata: { env: { password: PASSWORD, list: [`key ${AWS}`] }, [GITHUB]: 1 },
      host: `build ${AWS}`,
    });
    const memory = memoryOf(outcome);
    assert.equal(memory.content, 'Deploys use\n[redacted:gh-token] on main.');
    assert.deepEqual(memory.metadata, {
      env: { password: '[redacted:password]', list: ['key [redacted:aws-key]'] },
      '[redacted:gh-token]': 1,
    });
    assert.deepEqual(memory.tags, ['ci', '[redacted:aws-key]']);
    assert.deepEqual(
      outcome.redactions.map(({ field, kind, line, replaced }) => `${field} ${kind} ${line} ${replaced}`).sort(),
      [
        'author gh-token 1 true',
        'content gh-token 2 true',
        'metadata.env.list[0] aws-key 1 true',
        'metadata.env.password password 1 true',
        'session aws-key 1 true',
        'source.host aws-key 1 true',
        'tags[1] aws-key 1 true',
        'the name of a field in metadata gh-token 1 true',
      ],
    );
    assert.match(outcome.warnings.join(' '), /Secrets were replaced before storing: .*gh-token \(content, line 2\)/);
    await opened.engine.runUpkeep();
    const bytes = atRest(opened);
    for (const secret of [GITHUB, AWS, PASSWORD]) {
      assert.ok(!bytes.includes(secret) && !bytes.includes(secret.toLowerCase()), secret);
      assert.ok(!JSON.stringify(outcome).includes(secret));
    }
  });

  test('is compared with what is there as it would be stored', async (context) => {
    const { engine } = await openTestEngine(context);
    const content = `The token is ${GITHUB}.`;
    const first = memoryOf(await engine.storeMemory(agent, { content }));
    const again = await engine.storeMemory(agent, { content });
    assert.equal(again.outcome, 'duplicate');
    assert.equal(memoryOf(again).contentHash, first.contentHash);
    const written = await engine.storeMemory(agent, { content: 'The token is [redacted:gh-token].' });
    assert.equal(written.outcome, 'duplicate');
  });

  test('is looked at in batches, updates, reasons, versions and appended text alike', async (context) => {
    const opened = await openTestEngine(context);
    const { engine } = opened;
    const outcomes = await engine.storeMemories(agent, [
      { content: `one ${AWS}` },
      { content: 'two', key: 'two' },
      { content: 'Orders are shipped from Lyon every working day at noon.' },
    ]);
    const id = memoryOf(outcomes[1]!).id;
    const updated = await engine.updateMemory(agent, {
      ref: id,
      content: `two ${AWS}`,
      metadata: { password: PASSWORD },
      reason: `because of ${AWS}`,
    });
    assert.deepEqual(updated.redactions.map(({ field }) => field).sort(), ['content', 'metadata.password', 'reason']);
    await engine.updateMemory(agent, { ref: id, content: `three ${AWS}`, versioned: true });
    await engine.storeMemory(agent, { content: `two again ${AWS}`, key: 'two' });
    await engine.storeMemory(agent, {
      content: `Orders are shipped from Lyon every working day at noon. ${AWS}`,
      onDuplicate: 'append',
    });
    assert.ok(!atRest(opened).includes(AWS));
    assert.ok(!atRest(opened).includes(PASSWORD));
  });

  test('of another kind is treated like memories, without a word from the kind', async (context) => {
    const opened = await openTestEngine(context, { kinds: [{ ...bookmarkKind, screened: undefined }] });
    const body = { url: `https://robin:${PASSWORD}@git.test/x`, note: `token ${GITHUB}` };
    const stored = await opened.engine.storeRecord(agent, { kind: 'bookmark', title: `for ${AWS}`, body });
    assert.ok(stored.outcome === 'stored');
    assert.ok(stored.redactions.length >= 3);
    const changed = await opened.engine.updateRecord(agent, {
      kind: 'bookmark',
      ref: stored.record.id,
      body: { note: `other ${GITHUB}` },
      reason: `why ${AWS}`,
    });
    assert.ok(changed.outcome === 'updated' && changed.redactions.length > 0);
    for (const secret of [GITHUB, AWS, PASSWORD]) assert.ok(!atRest(opened).includes(secret), secret);
  });

  test('comes in by an import without its secrets, earlier versions included', async (context) => {
    const from = await openTestEngine(context, { settings: { redact: 'off' } });
    const { id } = memoryOf(await from.engine.storeMemory(agent, { content: `old ${GITHUB}` }));
    await from.engine.updateMemory(agent, { ref: id, content: `new ${AWS}`, reason: `since ${AWS}` });
    const packet = { ltm_version: '0.2', id: '0123456789', created_at: '2026-01-31T16:45:00Z', goal: `g ${AWS}` };
    const raw = JSON.stringify({ ...packet, next_step: 'n' });
    await from.engine.savePacket(agent, { raw, allowUnredacted: true });
    const lines = await collect(from.engine.exportRecords(person, { includeDeleted: true, includeVersions: true }));
    assert.ok(lines.join('\n').includes(GITHUB));
    const to = await openTestEngine(context);
    const report = await to.engine.importRecords(person, each(lines), {});
    assert.deepEqual(report.problems, []);
    assert.equal(report.records, 2);
    assert.equal(report.redacted.length, 3);
    assert.ok(!atRest(to).includes(GITHUB) && !atRest(to).includes(AWS));
    const again = await to.engine.importRecords(person, each(lines), {});
    assert.deepEqual([again.records, again.unchanged, again.conflicts], [0, 2, []]);
    const kept = await openTestEngine(context);
    await kept.engine.importRecords(person, each(lines), { noRedact: true });
    assert.ok(atRest(kept).includes(GITHUB));
  });

  test('may be kept as it is by a person, never by an agent, and stays so when others change its labels', async (context) => {
    const opened = await openTestEngine(context);
    const { engine } = opened;
    const content = `The sandbox key is ${AWS}.`;
    await assert.rejects(engine.storeMemory(agent, { content, noRedact: true }), engineError('forbidden'));
    const script = makeCaller('rest', { scopes: new Set(['read', 'write']) });
    await assert.rejects(engine.storeMemory(script, { content, noRedact: true }), engineError('forbidden'));
    const outcome = await engine.storeMemory(person, { content, noRedact: true });
    const { id, source } = memoryOf(outcome);
    assert.deepEqual(outcome.redactions, [{ field: 'content', kind: 'aws-key', line: 1, replaced: false }]);
    assert.equal(source.unredacted, true);
    const tagged = await engine.updateMemory(agent, { ref: id, tags: ['sandbox'] });
    assert.equal(tagged.memory.content, content);
    const rewritten = await engine.updateMemory(agent, { ref: id, content: `${content} Rotate it.` });
    assert.equal(rewritten.memory.content, 'The sandbox key is [redacted:aws-key]. Rotate it.');
    assert.equal(rewritten.memory.source.unredacted, undefined);
  });

  test('is only reported on, or not looked at, where the operator says so', async (context) => {
    const content = `The key is ${AWS}.`;
    const reporting = await openTestEngine(context, { settings: { redact: 'report' } });
    const reported = await reporting.engine.storeMemory(agent, { content });
    assert.equal(memoryOf(reported).content, content);
    assert.deepEqual(reported.redactions, [{ field: 'content', kind: 'aws-key', line: 1, replaced: false }]);
    const off = await openTestEngine(context, { settings: { redact: 'off' } });
    assert.deepEqual((await off.engine.storeMemory(agent, { content })).redactions, []);
  });

  test('cannot have a secret for its key, which must tell it from others', async (context) => {
    const { engine } = await openTestEngine(context);
    await assert.rejects(engine.storeMemory(agent, { content: 'x', key: AWS }), engineError('invalid_input'));
  });

  test('is looked at under a telling name although it holds a marker, and stays as it is where it is one', async (context) => {
    const { engine } = await openTestEngine(context);
    const metadata = { password: `${PASSWORD}[redacted:x]`, token: '[redacted:aws-key]' };
    const kept = memoryOf(await engine.storeMemory(agent, { content: 'x', metadata })).metadata;
    assert.ok(!JSON.stringify(kept).includes(PASSWORD));
    assert.equal(kept.token, '[redacted:aws-key]');
  });

  test('gives the first answer again, redactions included', async (context) => {
    const { engine } = await openTestEngine(context);
    const input = { content: `The key is ${AWS}.`, idempotencyKey: 'once' };
    const first = await engine.storeMemory(agent, input);
    assert.deepEqual((await engine.storeMemory(agent, input)).redactions, first.redactions);
  });
});
