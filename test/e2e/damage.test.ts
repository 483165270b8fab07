import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runLtm } from './packet-server.ts';

const KEPT = 'The staging server listens on port 8443';

for (const source of ['a copy of the database', 'an export'] as const)
  test(`a damaged memory is named and not served, and ltm doctor takes it from ${source}`, async (context) => {
    const home = mkdtempSync(join(tmpdir(), 'ltm-damage-'));
    context.after(() => rmSync(home, { recursive: true, force: true }));
    const db = join(home, 'memory.db');
    const ltm = (...args: string[]) => runLtm(home, [...args, '--db', db]);
    const { id } = JSON.parse((await ltm('store', KEPT, '--json')).stdout).memory;
    await ltm('store', 'Deploys go out on Thursdays');
    const backup = join(home, 'backup');
    if (source === 'an export') writeFileSync(backup, (await ltm('export', '-')).stdout);
    else copyFileSync(db, backup);
    const database = new DatabaseSync(db);
    database.prepare('UPDATE records SET content = ? WHERE id = ?').run('The staging server listens on port 1337', id);
    database.close();

    const search = await ltm('search', 'which port does the staging server listen on');
    assert.doesNotMatch(search.stdout, /1337/);
    assert.match(search.stdout + search.stderr, new RegExp(id));
    const got = await ltm('get', id);
    assert.doesNotMatch(got.stdout, /1337/);
    assert.notEqual(got.code, 0);
    const out = join(home, 'out.jsonl');
    const exported = await ltm('export', out);
    assert.equal(exported.code, 6, exported.stderr);
    assert.match(exported.stderr, new RegExp(id));
    const other = join(home, 'other.db');
    const taken = await runLtm(home, ['import', out, '--db', other]);
    assert.match(taken.stdout + taken.stderr, /1 record/);

    assert.notEqual((await ltm('doctor')).code, 0);
    const repaired = await ltm('doctor', '--repair', '--no-backup', '--from', backup);
    assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
    assert.match((await ltm('get', id)).stdout, /port 8443/);
    const refused = await ltm('doctor', '--repair', '--no-backup', '--from', join(home, 'nothing'));
    assert.match(refused.stderr, /There is no file/);
  });
