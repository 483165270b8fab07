import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../features/config.ts';
import { DECLARED_SETTINGS } from '../../features/settings.ts';
import { setConfigValue, unsetConfigValue } from '../../settings/config-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-earlier-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = { LTM_CONFIG_DIR: folder };
const earlier = join(folder, 'config.toml');

const FILE = { configFile: join(folder, 'config.json'), declared: DECLARED_SETTINGS };

test('takes over what the packet program has in config.toml; the config file and the environment win', () => {
  writeFileSync(earlier, 'host = "https://one.example"\nlenient = true # yes\nuser = \'robin\'\nother = 3\n');
  const { server, lenient, user } = loadConfig({ env });
  assert.deepEqual([server, lenient, user], ['https://one.example', true, 'robin']);
  setConfigValue(FILE, 'server', 'https://two.example');
  assert.equal(loadConfig({ env }).server, 'https://two.example');
  assert.equal(loadConfig({ env: { ...env, LTM_HOST: 'https://three.example' } }).server, 'https://three.example');
  const listening = loadConfig({ env: { ...env, LTM_HOST: '0.0.0.0' } });
  assert.deepEqual([listening.server, listening.host], ['https://two.example', '0.0.0.0']);
});

test('a setting that is removed is removed from both files', () => {
  assert.equal(unsetConfigValue(FILE, 'server', env), true);
  assert.equal(loadConfig({ env }).server, null);
  assert.equal(readFileSync(earlier, 'utf8').includes('one.example'), false);
  assert.equal(unsetConfigValue(FILE, 'server', env), false);
  assert.equal(loadConfig({ env }).user, 'robin');
});
