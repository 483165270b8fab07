import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DECLARED_SETTINGS } from '../features/settings.ts';
import { setConfigValue } from '../settings/config-file.ts';
import { editText, findEditor } from './edit-text.ts';
import { UsageError } from './report-error.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-editor-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const inEnv = (env: Record<string, string>) => ({
  env,
  sources: { env, declared: DECLARED_SETTINGS },
});

function makeEditor(name: string, body: string): string {
  const script = join(folder, `${name}.mjs`);
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs';\nconst file = process.argv.at(-1);\n${body}\n`,
  );
  return `"${process.execPath}" "${script}"`;
}

test('gives back what was saved, without the line end that editors add', async () => {
  const EDITOR = makeEditor('saves', "writeFileSync(file, readFileSync(file, 'utf8').toUpperCase() + '\\n');");
  assert.equal(await editText('old text', inEnv({ EDITOR, LTM_CONFIG_DIR: folder })), 'OLD TEXT');
  assert.equal(await editText('old text\n', inEnv({ EDITOR, LTM_CONFIG_DIR: folder })), 'OLD TEXT\n\n');
});

test('takes what an editor on Windows adds by itself for nothing that was typed', async () => {
  const EDITOR = makeEditor(
    'adds',
    "writeFileSync(file, '\\uFEFF' + readFileSync(file, 'utf8').replaceAll('\\n', '\\r\\n') + '!\\r\\n');",
  );
  const context = inEnv({ EDITOR, LTM_CONFIG_DIR: folder });
  assert.equal(await editText('one\ntwo', context), 'one\ntwo!');
  assert.equal(await editText('\uFEFFone\r\ntwo', context), '\uFEFF\uFEFFone\r\r\ntwo!', 'was there before');
});

test('asks $VISUAL, then $EDITOR, then for what each system has', () => {
  const find = (env: Record<string, string>, platform: NodeJS.Platform) =>
    findEditor(inEnv({ LTM_CONFIG_DIR: folder, ...env }), platform);
  assert.equal(find({ VISUAL: 'code --wait', EDITOR: 'edit' }, 'win32'), 'code --wait');
  assert.equal(find({ VISUAL: '', EDITOR: 'edit' }, 'win32'), 'edit');
  assert.deepEqual([find({}, 'win32'), find({}, 'darwin'), find({}, 'linux')], ['notepad', 'vi', 'vi']);
});

test('changes nothing when the text is emptied, the editor fails or cannot be started', async () => {
  await assert.rejects(
    editText('text', inEnv({ LTM_CONFIG_DIR: folder, EDITOR: makeEditor('empties', "writeFileSync(file, ' ');") })),
    UsageError,
  );
  await assert.rejects(
    editText('text', inEnv({ LTM_CONFIG_DIR: folder, EDITOR: makeEditor('fails', 'process.exit(3);') })),
    /ended with 3/,
  );
  await assert.rejects(
    editText('text', inEnv({ LTM_CONFIG_DIR: folder, EDITOR: join(folder, 'no-such-editor') })),
    /could not be started/,
  );
});

test('takes the editor that was configured before that of the environment', async () => {
  const env = { LTM_CONFIG_DIR: join(folder, 'config'), EDITOR: 'no-such-editor' };
  setConfigValue(
    { configFile: join(folder, 'config', 'config.json'), declared: DECLARED_SETTINGS },
    'editor',
    makeEditor('configured', "writeFileSync(file, file.endsWith('packet.json') ? 'a packet' : 'a memory');"),
  );
  assert.equal(await editText('text', inEnv(env)), 'a memory');
  assert.equal(await editText('text', inEnv(env), { fileName: 'packet.json' }), 'a packet');
});
