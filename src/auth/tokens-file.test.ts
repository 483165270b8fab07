import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, it, mock } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { openTokensFile, type TokensFile } from './tokens-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-tokens-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'user_tokens.json');
const events: { event: string; facts: object }[] = [];
const note = (event: string, facts: object = {}) => void events.push({ event, facts });
const log = { info: note, warn: note, error: note };

let opened: TokensFile | null = null;
beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => {
  mock.timers.reset();
  opened?.close();
  opened = null;
  events.length = 0;
});

function write(content: unknown): void {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
}

function open(content: unknown): TokensFile {
  write(content);
  chmodSync(file, 0o600);
  opened = openTokensFile(file, { log });
  return opened;
}

async function userOf(tokens: TokensFile, token: string): Promise<string | null> {
  const found = await tokens.find(token);
  return found === null ? null : typeof found === 'string' ? found : found.userId;
}

/** A change acts within so long. */
const passFiveSeconds = () => mock.timers.tick(5000);

it('knows the users of its tokens, letter by letter, and gives them read and write', async () => {
  const tokens = open({ one: 'alice', two: 'alice', three: 'ALICE' });
  assert.deepEqual(await Promise.all(['one', 'two', 'three', 'One', 'four'].map((token) => userOf(tokens, token))), [
    'alice',
    'alice',
    'ALICE',
    null,
    null,
  ]);
  const credential = await tokens.find('one');
  assert.ok(credential !== null && typeof credential !== 'string');
  assert.deepEqual([credential.kind, credential.scopes, credential.teamId], ['file', ['read', 'write'], null]);
  assert.doesNotMatch(credential.id, /one/);
});

it('refuses to start with a file that cannot be used, and repeats nothing of it', () => {
  const secret = 'sekret-token';
  const broken: unknown[] = [
    '',
    '{',
    `{"${secret}": `,
    [],
    'null',
    {},
    { [secret]: '' },
    { [secret]: 7 },
    { '': 'alice' },
    { [`${secret} x`]: 'alice' },
    { [secret]: 'team_1' },
  ];
  for (const content of broken) {
    assert.throws(
      () => open(content),
      (error) =>
        error instanceof EngineError &&
        error.code === 'invalid_input' &&
        !`${error.message}${error.hint}${JSON.stringify(error.details)}${error.cause}`.includes(secret),
      JSON.stringify(content),
    );
  }
  assert.throws(() => openTokensFile(join(folder, 'nowhere.json'), { log }), /does not exist/);
});

it('takes up a change, and tells whose tokens are gone', async () => {
  const tokens = open({ one: 'alice', two: 'bob', three: 'carol' });
  const credential = await tokens.find('two');
  assert.ok(credential !== null && typeof credential !== 'string');
  const gone: string[] = [];
  tokens.onChange((ids) => gone.push(...ids));
  write({ one: 'alice', two: 'dora', four: 'eve' });
  passFiveSeconds();
  assert.equal(await userOf(tokens, 'four'), 'eve');
  assert.equal(await userOf(tokens, 'three'), null);
  assert.equal(gone.length, 2);
  assert.ok(gone.includes(credential.id));
});

it('keeps what it had when the file breaks while running, and says so once', async () => {
  const tokens = open({ one: 'alice' });
  write('{"one": "ali');
  const complaints = () => events.filter(({ event }) => event === 'tokens_file_unusable').length;
  for (let i = 0; i < 3; i++) passFiveSeconds();
  assert.equal(complaints(), 1);
  rmSync(file);
  for (let i = 0; i < 3; i++) passFiveSeconds();
  assert.equal(complaints(), 2);
  assert.equal(await userOf(tokens, 'one'), 'alice');
  write({ one: 'bob' });
  passFiveSeconds();
  assert.equal(await userOf(tokens, 'one'), 'bob');
  assert.doesNotMatch(JSON.stringify(events), /"one"/);
});

it('shuts everybody out when all tokens are taken from the file', async () => {
  const tokens = open({ one: 'alice' });
  write({});
  passFiveSeconds();
  assert.equal(await userOf(tokens, 'one'), null);
});

it('warns of a file that everybody can read', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, () => {
  open({ one: 'alice' });
  assert.equal(events.length, 0);
  chmodSync(file, 0o644);
  openTokensFile(file, { log }).close();
  assert.deepEqual(
    events.map(({ event }) => event),
    ['tokens_file_readable_by_others'],
  );
});
