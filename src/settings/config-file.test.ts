import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../test/open-test-engine.ts';
import { loadConfig } from '../features/config.ts';
import { readDotEnv } from './config-file.ts';

function makeDotEnv(text: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, '.env'), text);
  return folder;
}

test('reads quotes, CRLF, comments and export, and nothing but the two names', () => {
  const folder = makeDotEnv(
    '\uFEFFLTM_DB_PATH="my store.db"\r\n# a comment\r\nexport MCP_TOKENS_PATH=\'tokens.json\' # why\r\nLTM_EMBEDDER_URL=http://evil.example\r\n',
  );
  assert.deepEqual(readDotEnv(folder), { LTM_DB_PATH: 'my store.db', MCP_TOKENS_PATH: 'tokens.json' });
  assert.deepEqual(readDotEnv(makeFolder()), {});
});

test('a flag and every real variable win over it, and it wins over the config file', () => {
  const dotEnvFolder = makeDotEnv('LTM_DB_PATH=/env-file.db\nMCP_TOKENS_PATH=/tokens.json\n');
  const file = join(makeFolder(), 'config.json');
  writeFileSync(file, '{"db": "/config-file.db"}');
  const db = (flags: Record<string, string>, env: Record<string, string>): string =>
    loadConfig({ flags, env, file, dotEnvFolder }).db;
  assert.equal(db({}, {}), '/env-file.db');
  assert.equal(db({ db: '/flag.db' }, {}), '/flag.db');
  for (const name of ['LTM_DB', 'LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH'])
    assert.equal(db({}, { [name]: '/real.db' }), '/real.db', name);
  assert.equal(loadConfig({ env: {}, file }).db, '/config-file.db', 'only where it is asked for');
  const { tokensFile, origin } = loadConfig({ env: {}, file, dotEnvFolder });
  assert.deepEqual([tokensFile, origin.tokensFile.name], ['/tokens.json', 'MCP_TOKENS_PATH in .env']);
});
