import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { collect, fill, importLines, withoutSum } from '../../../test/exchange-samples.ts';
import { makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';

const caller = makeCaller('cli');

describe('exports and imports of what is damaged', () => {
  test('leave out damaged lines where that is asked for, name each, and take the rest', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const flipped = lines.findIndex((line) => line.includes('The port is 8000.'));
    const quiet = lines.findIndex((line) => line.includes('to be deleted'));
    const damaged = lines
      .with(flipped, lines[flipped]!.replace('8000', '8001'))
      .with(quiet, lines[quiet]!.replace('"conversation":"c"', '"conversation":"d"'));
    const target = await openTestEngine(t);
    assert.equal((await importLines(target, damaged)).records, 0);
    const { records, problems, skipped, conflicts } = await importLines(target, damaged, { skipDamaged: true });
    assert.deepEqual([records, problems], [2, []]);
    assert.deepEqual(
      skipped.slice(0, 2).map(({ line }) => line - 1),
      [flipped, quiet].toSorted((a, b) => a - b),
    );
    assert.match(skipped.at(-1)!.message, /counts in the end line|checksum in the end line/);
    assert.match(conflicts.join(), /there is no record/);
    assert.deepEqual(
      (await target.engine.examine(caller, {})).checks.filter(({ ok }) => !ok),
      [],
    );
  });

  test('take nothing from a file that was changed where nobody can tell which lines were', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const changed = lines.map((line) => withoutSum(line).replace('"quality":0.25', '"quality":0.75'));
    const target = await openTestEngine(t);
    const { records, problems } = await importLines(target, changed, { skipDamaged: true });
    assert.equal(records, 0);
    assert.match(problems.at(-1)!.message, /which of them are damaged cannot be told/);
  });

  test('name what is damaged, leave it out, and say so to whoever imports the rest', async (t) => {
    const source = await fill(t);
    const [first, second] = (await source.engine.listMemories(caller, {})).items;
    const database = new DatabaseSync(source.path);
    database.exec(`UPDATE records SET trust = 'untrusted' WHERE id = '${first!.id}'`);
    database.exec(`UPDATE record_versions SET reason = 'none' WHERE record_id = '${second!.id}'`);
    database.exec('UPDATE relations SET weight = 0.5');
    database.close();
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const marks = lines.map((line) => JSON.parse(line)).flatMap(({ damaged }) => damaged ?? []);
    assert.deepEqual(marks.map(({ what }) => what).toSorted(), ['record', 'relation', 'version']);
    assert.equal(JSON.parse(lines.at(-1)!).end.damaged, 3);
    assert.ok(lines.every((line) => JSON.parse(line).record?.id !== first!.id));
    const report = await importLines(await openTestEngine(t), lines);
    assert.deepEqual([report.problems, report.records, report.lacking.length], [[], 3, 3]);
  });
});
