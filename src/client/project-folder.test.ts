import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder, projectIn } from './project-folder.ts';

test('a project is the repository around a folder, by the name in its package.json or else its own, or the folder; a home, the root and the temporary folder are none', (context) => {
  const made = mkdtempSync(join(tmpdir(), 'ltm-project-'));
  context.after(() => rmSync(made, { recursive: true, force: true }));
  const inside = join(made, 'shop-api', 'src', 'deep');
  mkdirSync(inside, { recursive: true });
  assert.equal(projectIn(inside), 'deep');
  mkdirSync(join(made, 'shop-api', '.git'));
  assert.equal(projectIn(inside), 'shop-api');
  assert.equal(projectFolder(inside), join(made, 'shop-api'));
  writeFileSync(join(made, 'shop-api', 'package.json'), '{"name":"@acme/shop"}');
  assert.equal(projectIn(inside), '@acme/shop');
  for (const unusable of ['{"name":""}', '{"name":7}', 'no JSON']) {
    writeFileSync(join(made, 'shop-api', 'package.json'), unusable);
    assert.equal(projectIn(inside), 'shop-api', unusable);
  }
  for (const nobodys of [homedir(), tmpdir(), '/']) assert.equal(projectIn(nobodys), null, nobodys);
});
