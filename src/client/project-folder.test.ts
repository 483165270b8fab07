import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder, projectIn } from './project-folder.ts';

test('a project is the repository around a folder, else the folder; a home, the root and the temporary folder are none', (context) => {
  const made = mkdtempSync(join(tmpdir(), 'ltm-project-'));
  context.after(() => rmSync(made, { recursive: true, force: true }));
  const inside = join(made, 'shop-api', 'src', 'deep');
  mkdirSync(inside, { recursive: true });
  assert.equal(projectIn(inside), 'deep');
  mkdirSync(join(made, 'shop-api', '.git'));
  assert.equal(projectIn(inside), 'shop-api');
  assert.equal(projectFolder(inside), join(made, 'shop-api'));
  for (const nobodys of [homedir(), tmpdir(), '/']) assert.equal(projectIn(nobodys), null, nobodys);
});
