import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { findImporter, lookAt, recogniseImporter } from './importer-table.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-importer-table-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('what is nobody’s is not recognised, and an unknown system is refused with those there are', async () => {
  const [text, database] = [join(home, 'other.txt'), join(home, 'other.db')];
  writeFileSync(text, 'x');
  const made = new DatabaseSync(database);
  made.exec('CREATE TABLE a (b)');
  made.close();
  assert.equal(await recogniseImporter(lookAt(text)), null);
  assert.equal(await recogniseImporter(lookAt(database)), null);
  assert.throws(() => findImporter('notion'), /cannot import from "notion"/);
  assert.equal(findImporter('obsidian').name, 'markdown');
  assert.throws(() => lookAt(join(home, 'missing')), { code: 'not_found' });
});
