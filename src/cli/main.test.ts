import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { expectMode } from '../../test/expect-mode.ts';
import { main } from './main.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-cli-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** One command in this process, as `bin/ltm.js` runs it. */
async function ltm(db: string, argv: string[], input?: string, isTTY = input === undefined): Promise<Ran> {
  const stdin = Object.assign(Readable.from(input === undefined ? [] : [input]), { isTTY });
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  const env = { HOME: folder, LTM_DB: join(folder, `${db}.db`), LTM_CONFIG: join(folder, `${db}.json`) };
  const [out, err] = [text(stdout), text(stderr)];
  const code = await main(argv, env, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

async function json<Answer = Record<string, never>>(db: string, ...argv: string[]): Promise<Answer> {
  const { code, out, err } = await ltm(db, [...argv, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Answer;
}

type Stored = { outcome: string; memory: { id: string; tags: string[]; revision: number } };

async function store(db: string, content: string, ...flags: string[]): Promise<string> {
  return (await json<Stored>(db, 'store', content, ...flags)).memory.id;
}

async function findIds(db: string, query: string): Promise<string[]> {
  return (await json<{ hits: { id: string }[] }>(db, 'search', query)).hits.map((hit) => hit.id);
}

describe('the life of a memory', () => {
  test('is stored, found, changed, taken back, deleted and restored', async () => {
    const id = await store(
      'life',
      'Staging runs on port 8443',
      '--type',
      'decision',
      '--tags',
      'infra,staging',
      '-m',
      'owner=ops',
    );
    assert.deepEqual(await findIds('life', 'which port does staging use'), [id]);

    const changed = await ltm('life', ['edit', id, '--content', 'Staging runs on port 9443', '--reason', 'moved']);
    assert.match(changed.out, /^Changed content of/);
    assert.match((await ltm('life', ['history', id])).out, /revision 1.*moved[\s\S]*8443/);
    await ltm('life', ['edit', id, '--undo']);
    assert.equal((await ltm('life', ['get', id, '--content'])).out, 'Staging runs on port 8443');

    const deleted = await ltm('life', ['delete', id]);
    assert.match(deleted.err, new RegExp(`Undo: ltm restore ${id}`));
    assert.deepEqual(await findIds('life', 'staging port'), []);
    assert.match((await ltm('life', ['search', 'staging port'])).out, /^Nothing found\./);
    assert.equal((await ltm('life', ['restore', id])).code, 0);
    assert.deepEqual(await findIds('life', 'staging port'), [id]);
  });

  test('is trusted more only by what a person says, not by changing it or taking a change back', async () => {
    const id = await store('trust', 'The backup runs at night');
    const trust = async (): Promise<string> =>
      (await json<{ memories: { trust: string }[] }>('trust', 'get', id)).memories[0]!.trust;
    assert.match((await ltm('trust', ['edit', id, '--trust', 'untrusted'])).out, /^Changed trust of/);
    await ltm('trust', ['edit', id, '--content', 'The backup runs at night.']);
    assert.equal(await trust(), 'untrusted');
    await ltm('trust', ['edit', id, '--content', 'The backup runs at noon', '--trust', 'user']);
    assert.equal(await trust(), 'user');
    await ltm('trust', ['edit', id, '--undo']);
    assert.equal((await ltm('trust', ['get', id, '--content'])).out, 'The backup runs at night.');
    assert.equal(await trust(), 'untrusted', 'the text is that of before, and so is the trust');
    await ltm('trust', ['edit', id, '--undo']);
    assert.equal(await trust(), 'untrusted', 'and taking that back gives none');
    assert.equal((await ltm('trust', ['edit', id, '--trust', 'god'])).code, 2);
  });

  test('takes text from a pipe, and gives it back to the letter', async () => {
    const content = 'first line\n  second "line" — 認証\n\tthird';
    const { code, out } = await ltm('pipe', ['store', '--json'], `${content}\n`);
    assert.equal(code, 0);
    const { id } = (JSON.parse(out) as Stored).memory;
    assert.equal((await ltm('pipe', ['get', id, '--content'])).out, content);
  });

  test('says what a duplicate is a duplicate of', async () => {
    const id = await store('twins', 'The cache lives in Redis');
    const again = await ltm('twins', ['store', 'The cache lives in Redis']);
    assert.deepEqual([again.code, again.out], [0, `Already stored as ${id}; nothing was written.\n`]);
    const refused = await ltm('twins', ['store', 'the cache lives in redis ', '--on-duplicate', 'refuse']);
    assert.equal(refused.code, 4);
    assert.match(refused.out, new RegExp(`Not stored[\\s\\S]*${id}`));
  });
});

describe('deleting by filter', () => {
  test('shows first, needs --yes where nobody can be asked, and says how to undo', async () => {
    const id = await store('filters', 'scratch note', '--tags', 'scratch');
    await store('filters', 'keep this one', '--tags', 'keep');
    assert.match((await ltm('filters', ['delete', '--tags', 'scratch', '--dry-run'])).err, /Would delete 1 memory/);
    const unasked = await ltm('filters', ['delete', '--tags', 'scratch'], '');
    assert.deepEqual([unasked.code, /--yes/.test(unasked.err)], [2, true]);
    const done = await ltm('filters', ['delete', '--tags', 'scratch', '--yes']);
    assert.match(done.err, new RegExp(`Deleted 1\\. Undo: ltm restore ${id}`));
    assert.match((await ltm('filters', ['list'])).err, /^1 of 1 memory/);
    assert.match((await ltm('filters', ['list', '--deleted'])).out, /scratch note \(deleted\)/);
  });

  test('asks on a terminal', async () => {
    await store('asked', 'scratch note', '--tags', 'scratch');
    const no = await ltm('asked', ['delete', '--tags', 'scratch'], 'n\n', true);
    assert.deepEqual([no.code, /Delete 1 memory\? \[y\/N\]/.test(no.err)], [4, true]);
    const yes = await ltm('asked', ['delete', '--tags', 'scratch'], 'y\n', true);
    assert.deepEqual([yes.code, /Deleted 1\./.test(yes.err)], [0, true]);
  });

  test('refuses to delete everything', async () => {
    const { code, err } = await ltm('filters', ['delete', '--yes']);
    assert.equal(code, 2);
    assert.match(err, /at least one filter/);
  });
});

describe('export and import', () => {
  test('make the same database again', async () => {
    const id = await store('origin', 'Exported memory', '--tags', 'a,b', '--key', 'name', '-m', '{"n":{"deep":[1]}}');
    await ltm('origin', ['edit', id, '--tags', 'c']);
    const file = join(folder, 'export.jsonl');
    assert.equal((await ltm('origin', ['export', file])).code, 0);
    expectMode(file, 0o600);
    assert.match((await ltm('copy', ['import', file, '--dry-run'])).out, /^Would import 1 record, 1 version/);
    assert.match((await ltm('copy', ['import', file])).out, /^Imported 1 record, 1 version/);
    assert.deepEqual(await json('copy', 'get', id), await json('origin', 'get', id));
    assert.match((await ltm('copy', ['import'], readFileSync(file, 'utf8'))).out, /1 already there/);
  });

  test('a file with a line that cannot be read imports nothing', async () => {
    const file = join(folder, 'broken.jsonl');
    writeFileSync(file, 'this is not JSON\n');
    const { code, out, err } = await ltm('broken', ['import', file]);
    assert.deepEqual([code, /line 1/.test(err), /Nothing was imported/.test(out)], [2, true, true]);
  });
});

describe('what goes wrong', () => {
  const cases: [title: string, argv: string[], code: number, message: RegExp][] = [
    ['an unknown command', ['serch'], 2, /no command "serch"[\s\S]*Did you mean `ltm search`/],
    ['an unknown flag', ['search', '--tpye', 'x'], 2, /no flag --tpye[\s\S]*Did you mean --type/],
    ['a missing memory', ['get', '00000000000000000000'], 3, /there is no memory/],
    ['a time that cannot be read', ['search', 'x', '--when', 'the day of the purple cow'], 2, /error:/],
    ['an import file that is not there', ['import', 'nowhere.jsonl'], 3, /no file nowhere.jsonl/],
    ['a word too many', ['stats', 'now'], 2, /unexpected argument: "now"/],
    ['a setting that does not exist', ['config', 'get', 'prot'], 2, /Did you mean "port"/],
  ];
  for (const [title, argv, code, message] of cases) {
    test(`${title} ends with ${code} and a sentence`, async () => {
      const ran = await ltm('errors', argv);
      assert.equal(ran.code, code, ran.err);
      assert.match(ran.err, message);
      assert.doesNotMatch(ran.err, /\n\s+at /);
    });
  }

  test('is an object with --json', async () => {
    const { code, out } = await ltm('errors', ['edit', 'missing', '--content', 'x', '--json']);
    assert.equal(code, 3);
    assert.equal((JSON.parse(out) as { error: { code: string } }).error.code, 'not_found');
  });
});

describe('settings, state and help', () => {
  test('a setting can be set, read and removed', async () => {
    await ltm('config', ['config', 'set', 'port', '9001']);
    assert.equal((await ltm('config', ['config', 'get', 'port'])).out, '9001\n');
    assert.match((await ltm('config', ['config'])).out, /port = 9001 {2}\(.*config\.json\)/);
    await ltm('config', ['config', 'unset', 'port']);
    assert.equal((await ltm('config', ['config', 'get', 'port'])).out, '8000\n');
  });

  test('stats and doctor describe a sound database', async () => {
    await store('state', 'one memory', '--project', 'web');
    assert.match((await ltm('state', ['stats'])).out, /healthy[\s\S]*1 live[\s\S]*web 1/);
    const examined = await ltm('state', ['doctor']);
    assert.equal(examined.code, 0, examined.out);
    assert.match(examined.out, /Everything is sound/);
  });

  test('before the first start there is no token', async () => {
    const { code, err } = await ltm('token', ['token']);
    assert.deepEqual([code, /ltm serve/.test(err)], [3, true]);
  });

  test('help teaches every command with examples', async () => {
    assert.match(
      (await ltm('help', ['--help'])).out,
      /Memories {2}what agents[\s\S]*search[\s\S]*Packets {2}the state/,
    );
    assert.match((await ltm('help', ['help', 'delete'])).out, /Examples\n {2}ltm delete/);
    assert.equal((await ltm('help', ['delete', '--help'])).out, (await ltm('help', ['help', 'delete'])).out);
    const { commands } = await json<{ commands: { name: string; examples: string[] }[] }>('help', 'help');
    assert.ok(commands.every(({ examples }) => examples.length > 0));
  });
});

test('a mistyped --db is an error for a command that reads, and makes no empty database', async () => {
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  const err = text(streams.stderr);
  const db = join(folder, 'mistyped.db');
  for (const words of [['list'], ['search', 'x'], ['get', 'x'], ['ls'], ['export'], ['timeline']])
    assert.equal(await main([...words, '--db', db], { HOME: folder }, streams), 3, words.join(' '));
  streams.stderr.end();
  assert.match(await err, /There is no database/);
  assert.equal(existsSync(db), false);
});

test('`ltm mcp` that cannot start says why, without a stack', async () => {
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  const err = text(streams.stderr);
  assert.equal(await main(['mcp'], { HOME: folder, LTM_DB: join(folder, 'mcp.db'), LTM_TOOLS: 'nothing' }, streams), 2);
  streams.stderr.end();
  assert.match(await err, /^error: There is no tool family "nothing"\.\nChoose from core, .*, or all\.\n$/);
});

test('`ltm graph REF` shows what is around a memory, now and as it was, and two words that are no action are explained', async () => {
  for (const name of ['one', 'two']) await json('graph', 'store', `The ${name} of the graph`, '--key', name);
  await json('graph', 'relate', 'one', 'two');
  const around = async (...flags: string[]) =>
    (await json<{ action: string; nodes: { title: string }[] }>('graph', 'graph', 'one', ...flags)).nodes;
  assert.deepEqual(
    (await around()).map(({ title }) => title),
    ['The two of the graph'],
  );
  assert.equal((await around('--as-of', '2100-01-01')).length, 1);
  assert.equal((await ltm('graph', ['graph', 'one', '--as-of', '2020-01-01'])).code, 3);
  const { code, err } = await ltm('graph', ['graph', 'one', 'two']);
  assert.equal(code, 2);
  assert.match(err, /“one” is not one of connected, path/);
});
