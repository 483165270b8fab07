import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { copySpace, type MovableStore } from '../../src/engine/copy-space.ts';
import { createCutter } from '../../src/model/cut-chunks.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller, openTestEngine } from '../open-test-engine.ts';
import { makeTranscript } from './make-transcript.ts';
import { bytesOf, cut, each, openPlace, program, sha256 } from './open-place.ts';

const person = makeCaller('cli');
for (const where of STORES)
  test(`a transcript that grows sends what is new, comes back to the byte, and is found line by line, on ${where}`, async (t) => {
    const { engine, store } = await openOnStore(t, where);
    const { workspace, send, read } = await openPlace(engine);
    const text = makeTranscript(3000);
    const half = text.slice(0, text.indexOf('\n', text.length / 2) + 1);
    assert.deepEqual(await send('s', half), { status: 'stored', sent: half.length });
    assert.deepEqual(await send('s', half), { status: 'duplicate', sent: 0 });
    const { status, sent } = await send('s', text);
    assert.equal(status, 'replaced');
    assert.ok(sent <= text.length - half.length, `${sent} of ${text.length - half.length} new bytes were sent`);
    assert.ok((await read('s')) === text);
    assert.equal((await send('s', half)).status, 'duplicate');
    assert.ok((await read('s')) === text);
    const [listed] = (await engine.listTranscripts(program, { workspace })).items;
    assert.deepEqual(
      [listed?.title, listed?.lines, listed?.bytes, listed?.sha256],
      ['Please fix the checkout of a', 3000, text.length, sha256(text)],
    );
    const { matches } = await engine.searchTranscripts(program, { query: 'topic2990x' });
    assert.deepEqual([matches[0]?.line, matches.length], [2990, 1]);
    const filter = { kinds: ['transcript_part'], workspace };
    const { hits } = await engine.search(program, { query: 'topic2990x', filter });
    assert.equal((hits[0] as unknown as { transcript_part: { line: number } }).transcript_part.line, 2990);
    const unnamed = await engine.search(program, { query: 'topic2990x' });
    assert.ok(unnamed.hits.every(({ kind }) => kind !== 'transcript_part'));
    const plain = await engine.search(program, { query: 'fix the checkout' });
    assert.equal(plain.hits[0]?.kind, 'transcript');
    assert.equal((await store.verify()).damaged.length, 0);
  });

test('a search of transcripts gives as many lines as it was asked for, and its cursor goes on to each of them once', async (t) => {
  const { engine } = await openTestEngine(t);
  const { send } = await openPlace(engine);
  const long = `{"data":"needle ${'x'.repeat(1_300_000)} needle"}\n`;
  const lines = Array.from({ length: 40 }, (_, i) => `{"line":${i},"text":"${i % 2 === 0 ? 'needle' : 'hay'}"}\n`);
  await send('first', `${lines.join('')}${long}${lines.join('')}${'{"no end":"needle"}'}`);
  await send('second', `${lines.slice(0, 4).join('')}${long}`);
  const most = 100;
  const whole = await engine.searchTranscripts(program, { query: 'needle', limit: most });
  const seen = whole.matches.map(({ sessionId, line }) => `${sessionId} ${line}`);
  assert.deepEqual([seen.length, new Set(seen).size, whole.cursor], [45, 45, null]);
  for (const query of [{ query: 'needle' }, { query: 'needl[e]', regex: true }])
    for (const limit of [1, 3, 20]) {
      const told: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await engine.searchTranscripts(program, { ...query, limit, cursor });
        assert.ok(page.matches.length <= limit, `${page.matches.length} for a limit of ${limit}`);
        told.push(...page.matches.map(({ sessionId, line }) => `${sessionId} ${line}`));
        cursor = page.cursor;
      }
      assert.deepEqual(told, seen, `by ${limit}`);
    }
});

test('an upload that broke off goes on where it stopped, and finishing too early is refused', async (t) => {
  const { engine } = await openTestEngine(t);
  const { workspace, ref, send, read } = await openPlace(engine);
  const text = makeTranscript(2000);
  const pieces = cut(text);
  const chunks = pieces.map((piece) => sha256(piece));
  const line = (i: number) =>
    JSON.stringify({ sha256: chunks[i], data: zstdCompressSync(pieces[i]!).toString('base64') });
  const token = JSON.stringify({ write_token: ref.writeToken });
  async function* breakOff(): AsyncGenerator<string> {
    yield* [token, line(0), line(1)];
    throw new Error('the line was cut');
  }
  await assert.rejects(engine.uploadChunks(program, { workspace, lines: breakOff() }), /cut/);
  await engine.uploadChunks(program, { workspace, lines: each([token, line(0), line(1)]) });
  await assert.rejects(engine.finishTranscript(program, { ...ref, session: 's', chunks }), { code: 'conflict' });
  const { sent } = await send('s', text);
  assert.equal(sent, text.length - pieces[0]!.length - pieces[1]!.length);
  assert.ok((await read('s')) === text);
});

test('a piece that is not what it says is refused: wrong hash, wrong token, a bomb, no token first', async (t) => {
  const { engine } = await openTestEngine(t);
  const { workspace, ref } = await openPlace(engine);
  const token = JSON.stringify({ write_token: ref.writeToken });
  const piece = (bytes: Buffer, name = sha256(bytes)) =>
    JSON.stringify({ sha256: name, data: zstdCompressSync(bytes).toString('base64') });
  const upload = (...lines: string[]) => engine.uploadChunks(program, { workspace, lines: each(lines) });
  await assert.rejects(upload(token, piece(Buffer.from('a'), sha256('b'))), { code: 'invalid_input' });
  await assert.rejects(upload(token, piece(Buffer.alloc(64 << 20))), { code: 'invalid_input' });
  await assert.rejects(upload(token, JSON.stringify({ sha256: sha256('a'), data: 'bm90IHpzdGQ=' })), {
    code: 'invalid_input',
  });
  await assert.rejects(upload(piece(Buffer.from('a'))), { code: 'forbidden' });
  await assert.rejects(upload(JSON.stringify({ write_token: 'ltmw_no' }), piece(Buffer.from('a'))), {
    code: 'forbidden',
  });
  await assert.rejects(upload(token, 'not json'), { code: 'invalid_input' });
  await assert.rejects(upload(), { code: 'invalid_input' });
});

test('secrets are replaced before a transcript is kept, and what was sent with one is not sent again', async (t) => {
  const { engine } = await openTestEngine(t);
  const { workspace, send, read } = await openPlace(engine);
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const text = `${makeTranscript(300)}{"type":"user","note":"token ${secret} here"}\n${makeTranscript(300, 'b')}`;
  assert.equal((await send('s', text)).status, 'stored');
  const kept = await read('s');
  assert.ok(!kept.includes(secret) && kept.includes('[redacted:'));
  assert.equal(kept.split('\n').length, text.split('\n').length);
  assert.deepEqual(await send('s', text), { status: 'duplicate', sent: 0 });
  assert.equal((await engine.searchTranscripts(program, { query: secret })).matches.length, 0);
  await engine.setRedaction(person, { workspace, redact: false });
  await engine.uploadTranscript(person, { workspace, session: 'open', content: bytesOf(text) });
  assert.ok((await read('open')) === text);
});

test('a session whose beginning was rewritten is kept beside what there was, and shares its pieces', async (t) => {
  const { engine, store } = await openTestEngine(t);
  const { workspace, send, read } = await openPlace(engine);
  const text = makeTranscript(2000);
  await send('s', text);
  const rewritten = `{"type":"summary","summary":"compacted"}\n${text.slice(text.indexOf('\n', text.length / 3) + 1)}`;
  const { status, sent } = await send('s', rewritten);
  assert.equal(status, 'replaced');
  assert.ok(sent < rewritten.length / 3, `${sent} of ${rewritten.length} bytes were sent`);
  assert.ok((await read('s')) === rewritten);
  assert.ok((await read(`s~${sha256(text).slice(0, 8)}`)) === text);
  const { hits } = await engine.search(program, { query: 'topic1990x', filter: { kinds: ['transcript_part'] } });
  const { line } = (hits[0] as unknown as { transcript_part: { line: number } }).transcript_part;
  const { lines } = await engine.readSession(program, { workspace, session: 's', offset: line, limit: 1 });
  assert.match(lines[0]!, /topic1990x/);
  const names = (await store.chunks.list('owner', '', 1000)).length;
  assert.ok(names < cut(text).length + cut(rewritten).length);
});

test('what is deleted is not found; purged, its pieces go too, but for those that another holds', async (t) => {
  const { engine, store, clock } = await openTestEngine(t);
  const { workspace, send } = await openPlace(engine);
  const shared = makeTranscript(1000);
  await send('one', shared);
  await send('two', `${shared}${makeTranscript(500, 'z')}`);
  await engine.deleteTranscript(person, { workspace, session: 'one' });
  await assert.rejects(engine.readSession(program, { workspace, session: 'one' }), { code: 'not_found' });
  const all = (await store.chunks.list('owner', '', 1000)).length;
  const [deleted] = (await store.listRecords('owner', { kinds: ['transcript'], deleted: 'only' }, { limit: 1 })).items;
  await engine.purgeRecords(person, { refs: [deleted!.id] });
  const kept = (await store.chunks.list('owner', '', 1000)).length;
  assert.ok(kept < all && kept > 0);
  await engine.searchTranscripts(program, { query: 'anything' });
  assert.equal((await send('one', shared)).status, 'stored');
  clock.run(1);
});

test('pieces of an upload that nobody finished are cleared away after a day', async (t) => {
  const { engine, store, clock } = await openTestEngine(t);
  const { workspace, ref, send } = await openPlace(engine);
  await send('s', makeTranscript(500));
  const held = (await store.chunks.list('owner', '', 1000)).length;
  const bytes = Buffer.from('left behind\n');
  const line = JSON.stringify({ sha256: sha256(bytes), data: zstdCompressSync(bytes).toString('base64') });
  const token = JSON.stringify({ write_token: ref.writeToken });
  await engine.uploadChunks(program, { workspace, lines: each([token, line]) });
  await engine.runUpkeep();
  assert.equal((await store.chunks.list('owner', '', 1000)).length, held + 1);
  for (let hours = 0; hours < 30; hours++) {
    clock.run(3_600_000);
    await engine.storeMemory(person, { content: `hour ${hours}` });
    await engine.runUpkeep();
  }
  assert.equal((await store.chunks.list('owner', '', 1000)).length, held);
});

test('an export carries transcripts, and an import brings them back to the byte', async (t) => {
  const { engine } = await openTestEngine(t);
  const { workspace, ref, send } = await openPlace(engine);
  const text = makeTranscript(800);
  await send('s', text);
  const longPath = `${'deep/'.repeat(60)}a.md`;
  await engine.uploadNote(program, { ...ref, path: longPath, content: '# A\r\n' });
  const lines: string[] = [];
  for await (const line of engine.exportRecords(person, {})) lines.push(line);
  const { engine: other } = await openTestEngine(t);
  const report = await other.importRecords(person, each(lines), {});
  assert.deepEqual([report.problems, report.conflicts], [[], []]);
  const pieces: Uint8Array[] = [];
  for await (const piece of other.readTranscriptBytes(person, { workspace, session: 's' })) pieces.push(piece);
  assert.ok(Buffer.concat(pieces).toString() === text);
  assert.equal((await other.getNote(person, { workspace, path: longPath })).content, '# A\r\n');
  const broken = lines.map((line) => line.replace(/"packed":"(.)/, '"packed":"A$1'));
  const refused = await (await openTestEngine(t)).engine.importRecords(person, each(broken), {});
  assert.ok(refused.problems.length > 0);
});

test('a move to another database takes the pieces of transcripts along', async (t) => {
  const [from, to] = [await openTestEngine(t), await openTestEngine(t)];
  const { workspace, send, read } = await openPlace(from.engine);
  const text = makeTranscript(900);
  await send('s', text);
  await copySpace({
    source: from.store as unknown as MovableStore,
    target: to.store as unknown as MovableStore,
    space: 'owner',
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of to.engine.readTranscriptBytes(person, { workspace, session: 's' })) pieces.push(piece);
  assert.ok(Buffer.concat(pieces).toString() === (await read('s')));
  assert.deepEqual((await to.store.verify()).damaged, []);
});

test('a cut does not depend on how the bytes arrive, and stays the same when the file grows', () => {
  const text = `${makeTranscript(1500)}${'x'.repeat(1_300_000)}\n${makeTranscript(200, 'q')}`;
  const bytes = Buffer.from(text);
  const whole = cut(text).map((piece) => sha256(piece));
  for (const size of [1000, 65_536, 700_001]) {
    const cutter = createCutter();
    const pieces: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      pieces.push(...cutter.push(bytes.subarray(at, at + size)).map((piece) => sha256(piece.bytes)));
    pieces.push(...cutter.end().map((piece) => sha256(piece.bytes)));
    assert.deepEqual(pieces, whole, `pieces of ${size}`);
  }
  const grown = cut(`${text}${makeTranscript(100, 'w')}`).map((piece) => sha256(piece));
  assert.deepEqual(grown.slice(0, whole.length - 1), whole.slice(0, -1));
});
