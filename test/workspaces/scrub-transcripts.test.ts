import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import type { Store } from '../../src/engine/ports.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller, openTestEngine } from '../open-test-engine.ts';
import { makeTranscript } from './make-transcript.ts';
import { bytesOf, cut, each, openPlace, program, sha256 } from './open-place.ts';

const person = makeCaller('cli');
const GITHUB = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'F6g7H8'].join('');
const AWS = ['AK', 'IA', 'QRSTUVWXYZ234567'].join('');

const say = (content: string): string =>
  `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', cwd: '/work/shop', timestamp: '2026-03-05T10:00:00Z', message: { role: 'user', content } })}\n`;

/** Every piece that the store keeps, as text. */
async function keptTexts(store: Store): Promise<string> {
  const names = (await store.chunks.list('owner', '', 10_000)).map(({ sha256: name }) => name);
  const pieces = await store.chunks.read('owner', names);
  return pieces.map(({ packed }) => (packed.length === 0 ? '' : zstdDecompressSync(packed).toString())).join('\n');
}

for (const where of STORES)
  test(`secrets in pieces of transcripts are found, replaced once for all that share them, and do not come back, on ${where}`, async (t) => {
    const { engine, store } = await openOnStore(t, where);
    const { workspace, send, read } = await openPlace(engine);
    await engine.setRedaction(person, { workspace, redact: false });
    const shared = `${makeTranscript(300)}${say(`The deploy token is ${GITHUB}, use it well`)}${makeTranscript(300, 'b')}`;
    const one = `${shared}${say('nothing more')}`;
    const two = `${say(`My key is ${AWS}`)}${makeTranscript(100, 'c')}`;
    await send('one', one);
    await send('grown', `${shared}${makeTranscript(200, 'd')}`);
    await send('two', two);
    await engine.runUpkeep();

    const kept = await engine.scrubRecords(person, { apply: true });
    assert.deepEqual([kept.count, kept.replaced], [0, 0]);
    assert.ok(kept.kept >= 3, 'the operator wanted them as they are');
    const look = await engine.scrubRecords(person, { all: true });
    const told = look.found.filter(({ kind }) => kind === 'transcript');
    assert.deepEqual(
      told.map(({ redactions }) => redactions.filter(({ field }) => field === 'transcript')).map(([found]) => found),
      told.map(({ redactions: [first] }) => ({ ...first!, field: 'transcript', replaced: true })),
    );
    assert.deepEqual(told.map(({ redactions }) => redactions[0]!.line).sort(), [1, 301, 301]);
    assert.ok(!JSON.stringify(look).includes(GITHUB) && (await keptTexts(store)).includes(GITHUB));

    const done = await engine.scrubRecords(person, { apply: true, all: true });
    assert.deepEqual([done.count, done.replaced], [look.count, look.count]);
    const texts = await keptTexts(store);
    assert.ok(!texts.includes(GITHUB) && !texts.includes(AWS) && texts.includes('[redacted:'));
    assert.equal((await engine.scrubRecords(person, { all: true })).count, 0);

    const clean = one.replace(GITHUB, '[redacted:gh-token]');
    assert.ok((await read('one')) === clean);
    const listed = (await engine.listTranscripts(program, { workspace })).items;
    const facts = listed.find(({ sessionId }) => sessionId === 'one')!;
    assert.deepEqual([facts.bytes, facts.sha256, facts.lines], [clean.length, sha256(clean), 602]);
    assert.equal(listed.find(({ sessionId }) => sessionId === 'two')!.title, 'My key is [redacted:aws-key]');
    const { matches } = await engine.searchTranscripts(program, { query: 'redacted:gh-token' });
    assert.deepEqual(
      matches.map(({ line }) => line),
      [300, 300],
    );
    for (const [query, line] of [
      ['deploy token use it well', 300],
      ['question topic290x', 290],
    ] as const) {
      const { hits } = await engine.search(program, { query, filter: { kinds: ['transcript'], workspace } });
      const places = hits.map(
        (hit) => (hit as unknown as { transcript_part?: { line: number } }).transcript_part?.line,
      );
      assert.ok(places.includes(line), `${query}: ${places}`);
    }
    assert.equal((await engine.search(program, { query: GITHUB, mode: 'text' })).hits.length, 0);
    assert.ok((await engine.examine(person, {})).sound);

    assert.deepEqual(await send('one', one), { status: 'duplicate', sent: 0 });
    const grown = `${one}${say(`again ${GITHUB}`)}`;
    assert.equal((await send('one', grown)).status, 'replaced');
    assert.ok((await read('one')) === grown.replaceAll(GITHUB, '[redacted:gh-token]'));
    await engine.uploadTranscript(program, { workspace, session: 'two', content: bytesOf(two), ...(await token()) });
    await engine.setRedaction(person, { workspace, redact: true });
    const again = await send('two', two);
    assert.equal(again.status, 'duplicate');
    assert.ok(again.sent < two.length - cut(two)[0]!.length + 1, 'the piece with the secret is not sent again');
    assert.ok(!(await keptTexts(store)).includes(GITHUB) && !(await keptTexts(store)).includes(AWS));
    assert.equal((await engine.listTranscripts(program, { workspace })).total, 3);
    assert.ok((await engine.examine(person, {})).sound);

    async function token() {
      const { writeToken } = await engine.registerWorkspace(program, {
        machine: 'm',
        tool: 't',
        project: 'p',
        wantsToken: true,
      });
      return { writeToken };
    }
  });

test('nothing of a scrubbed piece is left in the file, its log and the index, a line that goes through several pieces included', async (t) => {
  const { engine, store, path } = await openTestEngine(t, { settings: { redact: 'off', flushPassages: 2 } });
  const { workspace, ref, send, read } = await openPlace(engine);
  const words = makeTranscript(3000).replaceAll('\n', ' ');
  const before = (512 << 10) - 20;
  const long = `${words.slice(0, before - 1)} ${GITHUB} ${words.slice(before, 2 * before)}\n`;
  await send('long', long);
  assert.ok(!cut(long).some((piece) => piece.includes(GITHUB)), 'the secret goes through two pieces');
  const text = `${makeTranscript(200)}${say(`token ${AWS}`)}`;
  await send('short', text);
  const stray = Buffer.from(say(`stray ${GITHUB}`));
  const { zstdCompressSync } = await import('node:zlib');
  const line = JSON.stringify({ sha256: sha256(stray), data: zstdCompressSync(stray).toString('base64') });
  const first = JSON.stringify({ write_token: ref.writeToken });
  await engine.uploadChunks(program, { workspace, lines: each([first, line]) });
  await engine.runUpkeep();
  const names = (await store.chunks.list('owner', '', 1000)).map(({ sha256: name }) => name);
  const old = (await store.chunks.read('owner', names)).filter(({ packed }) => {
    const kept = zstdDecompressSync(packed).toString();
    return kept.includes(AWS) || kept.includes(GITHUB) || kept.includes(GITHUB.slice(0, 20));
  });
  assert.equal(old.length, 3);

  const done = await engine.scrubRecords(person, { apply: true });
  assert.deepEqual(done.remains, []);
  assert.ok(done.found.some(({ kind, id }) => kind === 'chunk' && id === sha256(stray)));
  assert.ok((await read('long')) === long.replace(GITHUB, '[redacted:gh-token]'));
  const atRest = readdirSync(dirname(path))
    .map((name) => readFileSync(join(dirname(path), name), 'latin1'))
    .join('\n');
  const now = (await store.chunks.list('owner', '', 1000)).map(({ sha256: name }) => name);
  const kept = (await store.chunks.read('owner', now)).map(({ packed }) => Buffer.from(packed));
  for (const { packed } of old) {
    const slices = Array.from({ length: Math.floor(packed.length / 40) }, (_, i) =>
      Buffer.from(packed.subarray(40 * i, 40 * i + 40)),
    ).filter((slice) => !kept.some((one) => one.includes(slice)));
    assert.ok(slices.length > 0);
    for (const slice of slices) assert.ok(!atRest.includes(slice.toString('latin1')));
  }
  assert.ok(!atRest.includes(AWS) && !atRest.toLowerCase().includes(AWS.toLowerCase()));
  assert.deepEqual(await send('long', long), { status: 'duplicate', sent: 0 });
  assert.equal((await engine.scrubRecords(person, {})).count, 0);
});

test('a transcript with a damaged piece is named, and the others are scrubbed', async (t) => {
  const { engine, tamper } = await openOnStore(t, 'SQLite');
  const { workspace, send, read } = await openPlace(engine);
  await engine.setRedaction(person, { workspace, redact: false });
  await send('broken', `${makeTranscript(50)}${say(`a ${GITHUB}`)}`);
  await tamper(`UPDATE chunks SET packed = x'00'`);
  await send('sound', `${makeTranscript(50, 'b')}${say(`b ${GITHUB}`)}`);
  const done = await engine.scrubRecords(person, { apply: true, all: true });
  assert.ok(done.remains.some((what) => what.includes('damaged')));
  assert.ok(!(await read('sound')).includes(GITHUB));
});
