// What `ltm sync install-schedule` puts into the settings of Claude Code goes again, by --off and by `ltm setup --undo`, in whichever order the two came.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../open-test-engine.ts';
import { runLtm } from './run-ltm.ts';

const MINE =
  '{\n  // mine\n  "model": "opus",\n  "hooks": { "SessionEnd": [{ "hooks": [{ "type": "command", "command": "other" }] }] }\n}\n';
const SCHEDULE = ['sync', 'install-schedule', '--by', 'systemd'];
const OFF = [...SCHEDULE, '--off'];
const SETUP = ['setup', '--yes', '--agents', 'claude-code'];
const UNDO = ['setup', '--undo', '--yes'];

function makeHome(settings: string | null) {
  const home = makeFolder();
  mkdirSync(join(home, '.claude'));
  const file = join(home, '.claude/settings.json');
  if (settings !== null) writeFileSync(file, settings);
  return {
    file,
    run: (words: readonly string[]) => runLtm(home, words),
    text: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    others: () => readdirSync(join(home, '.claude')).filter((name) => name !== 'settings.json'),
  };
}

for (const settings of [null, MINE])
  for (const [name, steps] of Object.entries({
    'a schedule': [SCHEDULE, OFF],
    'a schedule, undone as a set-up': [SCHEDULE, UNDO],
    'a schedule after a set-up': [SETUP, SCHEDULE, OFF, UNDO],
    'a schedule after a set-up, undone with it': [SETUP, SCHEDULE, UNDO],
    'a set-up after a schedule': [SCHEDULE, SETUP, UNDO],
  }))
    test(`${name} leaves ${settings === null ? 'no settings' : 'the settings as they were'}`, async () => {
      const { run, text, others } = makeHome(settings);
      let hooked = '';
      for (const words of steps) {
        await run(words);
        hooked += text() ?? '';
      }
      assert.match(hooked, /ltm(\.js)?["\\]* sync claude-hook/);
      assert.deepEqual([text(), others()], [settings, []]);
    });

test('what others have written since stays, and the hook goes all the same', async () => {
  const { file, run, text, others } = makeHome(MINE);
  await run(SETUP);
  await run(SCHEDULE);
  writeFileSync(file, text()!.replace('"opus"', '"sonnet"'));
  assert.match((await run([...UNDO, '--dry-run'])).out, /will take ltm out of .*settings\.json/);
  assert.match(text()!, /claude-hook/);
  await run(UNDO);
  assert.match(text()!, /\/\/ mine[\s\S]*"sonnet"[\s\S]*"command": "other"/);
  assert.doesNotMatch(text()!, /ltm/);
  assert.deepEqual(others(), []);
});

test('settings that cannot be read are named and left alone', async () => {
  const { file, run, text } = makeHome(MINE);
  await run(SCHEDULE);
  writeFileSync(file, '{ "hooks": ');
  for (const words of [OFF, UNDO]) {
    const { code, err } = await run(words);
    assert.notEqual(code, 0);
    assert.match(err, /settings\.json/);
    assert.equal(text(), '{ "hooks": ');
  }
});
