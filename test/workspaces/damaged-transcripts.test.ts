import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller, openTestEngine } from '../open-test-engine.ts';
import { makeTranscript } from './make-transcript.ts';
import { cut, each, openPlace, sha256 } from './open-place.ts';

const person = makeCaller('cli');
const AWS = ['AK', 'IA', 'QRSTUVWXYZ234567'].join('');

for (const where of STORES)
  test(`a damaged piece is named and left out of an export, the rest comes along, and sending it again mends it, on ${where}`, async (t) => {
    const { engine, tamper } = await openOnStore(t, where);
    const { workspace, send, read } = await openPlace(engine);
    const [bad, good] = [makeTranscript(300), makeTranscript(300, 'b')];
    await send('bad', bad);
    await send('good', good);
    const [first, last] = [cut(bad)[0]!, cut(bad).at(-1)!].map((piece) => sha256(piece));
    await tamper(`UPDATE chunks SET lines = lines + 1 WHERE sha256 = '${first}'`);
    await tamper(`DELETE FROM chunks WHERE sha256 = '${last}'`);

    const lines = await collect(engine.exportRecords(person, {}));
    const marks = lines.map((line) => JSON.parse(line)).flatMap(({ damaged }) => damaged ?? []);
    assert.deepEqual(
      marks.map(({ what, id }) => [what, id]).toSorted(),
      [
        ['chunk', first],
        ['chunk', last],
      ].toSorted(),
    );
    const target = await openTestEngine(t);
    const report = await target.engine.importRecords(person, each(lines), { skipDamaged: true });
    assert.deepEqual([report.problems, report.skipped, report.conflicts], [[], [], []]);
    assert.deepEqual(report.lacking.toSorted(), marks.map(({ id }) => `the piece of a transcript ${id}`).toSorted());
    const pieces: Uint8Array[] = [];
    for await (const piece of target.engine.readTranscriptBytes(person, { workspace, session: 'good' }))
      pieces.push(piece);
    assert.ok(Buffer.concat(pieces).toString() === good);

    const { checks, sound } = await engine.examine(person, {});
    assert.equal(sound, false);
    assert.ok(checks.some(({ ok, detail }) => !ok && detail.includes(first!)));
    assert.ok(checks.some(({ name, ok }) => name === 'pieces owner' && !ok));
    const mended = await engine.examine(person, { repair: true, backupPath: null });
    assert.ok(
      mended.repaired.some((what) => what.includes('pieces of transcripts')),
      mended.repaired.join(),
    );
    assert.equal((await send('bad', bad)).status, 'duplicate');
    assert.ok((await read('bad')) === bad);
    assert.ok((await engine.examine(person, {})).sound);
  });

test('an export from a sound database puts damaged pieces right, and a changed line of one is left out where that is asked for', async (t) => {
  const { engine, tamper } = await openOnStore(t, 'SQLite');
  const { workspace, send, read } = await openPlace(engine);
  const text = makeTranscript(300);
  await send('s', text);
  const lines = await collect(engine.exportRecords(person, {}));
  await tamper(`UPDATE chunks SET packed = x'00'`);
  assert.deepEqual((await engine.importRecords(person, each(lines), {})).problems, []);
  assert.ok((await read('s')) === text);
  assert.ok((await engine.examine(person, {})).sound);

  const flipped = lines.findIndex((line) => line.startsWith('{"chunk"'));
  const broken = lines.with(flipped, lines[flipped]!.replace(/"packed":"(.{20})./, '"packed":"$1_'));
  const target = await openTestEngine(t);
  assert.equal((await target.engine.importRecords(person, each(broken), {})).records, 0);
  const { skipped, records } = await target.engine.importRecords(person, each(broken), { skipDamaged: true });
  assert.ok(skipped.some(({ line }) => line === flipped + 1) && records > 1);
  assert.equal((await target.engine.listTranscripts(person, { workspace })).total, 1);
});

test('secrets in pieces that an import brings are replaced', async (t) => {
  const { engine } = await openOnStore(t, 'SQLite');
  const { workspace, send } = await openPlace(engine);
  await engine.setRedaction(person, { workspace, redact: false });
  const text = `${makeTranscript(200)}{"type":"note","text":"the key ${AWS}"}\n${makeTranscript(100, 'b')}`;
  await send('s', text);
  const lines = await collect(engine.exportRecords(person, {}));
  const { engine: other, store } = await openTestEngine(t);
  const report = await other.importRecords(person, each(lines), {});
  assert.ok(report.redacted.some((what) => what.includes('aws-key (transcript, line 201)')));
  const pieces: Uint8Array[] = [];
  for await (const piece of other.readTranscriptBytes(person, { workspace, session: 's' })) pieces.push(piece);
  assert.ok(Buffer.concat(pieces).toString() === text.replace(AWS, '[redacted:aws-key]'));
  const names = (await store.chunks.list('owner', '', 1000)).map(({ sha256: name }) => name);
  assert.ok(!names.includes(sha256(cut(text).find((piece) => piece.includes(AWS))!)));
  const { engine: verbatim } = await openTestEngine(t);
  assert.deepEqual((await verbatim.importRecords(person, each(lines), { noRedact: true })).redacted.length, 0);
});

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
