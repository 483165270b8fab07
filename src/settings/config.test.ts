import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadConfig } from '../features/config.ts';
import { DECLARED_SETTINGS } from '../features/settings.ts';
import { EngineError } from '../model/errors.ts';
import { ON_DUPLICATE } from '../model/memory-types.ts';
import { budgetOf, describeConfig, engineSettings, loadConfigOnce } from './config.ts';
import { setConfigValue, unsetConfigValue } from './config-file.ts';
import { findModelFile } from './model-file.ts';
import { configFilePath, dataFolder } from './user-folders.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-config-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function configFile(content: string): string {
  const path = join(folder, `config-${files++}.json`);
  writeFileSync(path, content);
  return path;
}

function failure(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof EngineError);
    return error;
  }
  assert.fail('nothing was thrown');
}

describe('loadConfig', () => {
  it('takes a flag over the environment, the environment over the file, the file over the default', () => {
    const file = configFile('{"port": 3}');
    const port = (flags: Record<string, unknown>, env: Record<string, string>, path: string) => {
      const config = loadConfig({ flags, env, file: path });
      return [config.port, config.origin.port.source];
    };
    assert.deepEqual(port({ port: '1' }, { LTM_PORT: '2' }, file), [1, 'flag']);
    assert.deepEqual(port({}, { LTM_PORT: '2' }, file), [2, 'environment']);
    assert.deepEqual(port({}, {}, file), [3, 'file']);
    assert.deepEqual(port({}, {}, join(folder, 'absent.json')), [8000, 'default']);
  });

  it('reads the variables of the replaced systems after its own', () => {
    const file = join(folder, 'absent.json');
    const env = {
      MCP_HTTP_PORT: '9',
      MCP_SQLITEVEC_MAX_CONTENT_LENGTH: '500',
      MCP_MEMORY_SQLITE_PATH: '/data/a.db',
      LTM_DB_PATH: '/data/b.db',
    };
    const config = loadConfig({ env, file });
    assert.equal(config.port, 9);
    assert.equal(config.splitChars, 500);
    assert.equal(config.db, '/data/b.db');
    assert.equal(loadConfig({ env: { ...env, LTM_PORT: '10', LTM_DB: '/data/c.db' }, file }).db, '/data/c.db');
  });

  it('says for every setting and every source which value is wrong and what is allowed', () => {
    const file = join(folder, 'absent.json');
    const error = failure(() => loadConfig({ env: { LTM_PORT: '80b' }, file }));
    assert.equal(error.code, 'invalid_input');
    assert.match(error.message, /LTM_PORT is "80b".*whole number from 0 to 65535/);
    assert.match(failure(() => loadConfig({ flags: { port: '70000' }, env: {}, file })).message, /--port/);
    const broken = configFile('{"port": "x"}');
    assert.match(failure(() => loadConfig({ env: {}, file: broken })).message, /setting port in .*is "x"/);
  });

  it('never repeats the value of a secret', () => {
    const file = configFile('{"embedder_key": 12345, "embedder_url": "http://localhost/v1"}');
    const error = failure(() => loadConfig({ env: {}, file }));
    assert.doesNotMatch(`${error.message} ${error.hint}`, /12345/);
    const config = loadConfig({
      env: { LTM_EMBEDDER_KEY: 'sk-very-secret', LTM_EMBEDDER_URL: 'http://localhost/v1' },
      file: join(folder, 'absent.json'),
    });
    assert.equal(config.embedderKey, 'sk-very-secret');
    assert.doesNotMatch(JSON.stringify(describeConfig(config)), /sk-very-secret/);
  });

  it('refuses an unknown key in the file and names the nearest one', () => {
    const error = failure(() => loadConfig({ env: {}, file: configFile('{"max_body_byte": 5}') }));
    assert.match(error.message, /max_body_byte/);
    assert.equal(error.hint, 'Did you mean "max_body_bytes"?');
  });

  it('warns of a variable that looks like a mistyped setting', () => {
    const config = loadConfig({
      env: { LTM_PROT: '1', LTM_SOMETHING_ELSE_ALTOGETHER: '1' },
      file: join(folder, 'absent.json'),
    });
    assert.deepEqual(config.warnings, ['The variable LTM_PROT is not a setting. Did you mean LTM_PORT?']);
  });

  it('makes the database path absolute, from the folder of the file that names it', () => {
    assert.equal(loadConfig({ env: {}, file: configFile('{"db": "here.db"}') }).db, join(folder, 'here.db'));
    assert.equal(
      loadConfig({ flags: { db: '~/m.db' }, env: { HOME: '/home/ada' }, file: join(folder, 'absent.json') }).db,
      resolve('/home/ada/m.db'),
    );
    assert.match(
      failure(() => loadConfig({ flags: { db: ':memory:' }, env: {}, file: join(folder, 'absent.json') })).message,
      /must be a file/,
    );
  });

  it('puts database and config file where XDG says', () => {
    const env = { HOME: '/home/ada', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/conf' };
    assert.equal(loadConfig({ env, file: join(folder, 'absent.json') }).db, resolve('/data/ltm/memory.db'));
    assert.equal(configFilePath(env), join('/conf', 'ltm', 'config.json'));
    assert.equal(configFilePath({ ...env, LTM_CONFIG: '/etc/ltm.json' }), '/etc/ltm.json');
  });

  it('puts the database where programs of each system put theirs', () => {
    const env = { HOME: 'home' };
    assert.equal(dataFolder(env, 'linux'), join('home', '.local', 'share', 'ltm'));
    assert.equal(dataFolder(env, 'darwin'), join('home', 'Library', 'Application Support', 'ltm'));
    assert.equal(dataFolder({ USERPROFILE: 'home' }, 'win32'), join('home', 'AppData', 'Local', 'ltm'));
    assert.equal(dataFolder({ ...env, LOCALAPPDATA: 'local' }, 'win32'), join('local', 'ltm'));
  });

  it('adds the memory types of the operator to the built-in ones', () => {
    const config = loadConfig({
      env: { MCP_CUSTOM_MEMORY_TYPES: '{"recipe":["dessert"],"error":["typo"]}' },
      file: join(folder, 'absent.json'),
    });
    const { memoryTypes } = engineSettings(config);
    assert.deepEqual(memoryTypes.recipe, ['dessert']);
    assert.ok(memoryTypes.error?.includes('typo') && memoryTypes.error.includes('bug'));
    assert.throws(
      () => loadConfig({ env: { MCP_CUSTOM_MEMORY_TYPES: '{"recipe":"dessert"}' }, file: join(folder, 'absent.json') }),
      /JSON object/,
    );
  });

  it('keeps a share of the memory for indexes, unless the operator says how much', () => {
    const file = join(folder, 'absent.json');
    const budget = (env: Record<string, string>, constrained: number, machine = 64) =>
      budgetOf(loadConfig({ env, file }), { constrained, machine: machine * 2 ** 30 }) / 2 ** 20;
    assert.equal(budget({}, 512 * 2 ** 20), 128);
    assert.equal(budget({}, 0), 2048);
    assert.equal(budget({}, 2 ** 63), 2048);
    assert.equal(budget({}, 2 ** 63, 8), 1024);
    assert.equal(budget({}, 0, 1), 256);
    assert.equal(budget({ LTM_INDEX_BUDGET_MB: '300' }, 512 * 2 ** 20), 300);
  });

  it('uses the embeddings service as soon as its address is known, and refuses to without one', () => {
    const file = join(folder, 'absent.json');
    assert.equal(loadConfig({ env: {}, file }).embedder, findModelFile() === null ? 'none' : 'static');
    assert.equal(loadConfig({ env: { LTM_EMBEDDER_URL: 'http://localhost:11434/v1' }, file }).embedder, 'openai');
    assert.equal(
      loadConfig({ env: { LTM_EMBEDDER_URL: 'http://localhost:11434/v1', LTM_EMBEDDER: 'none' }, file }).embedder,
      'none',
    );
    assert.match(
      failure(() => loadConfig({ env: { LTM_EMBEDDER: 'openai' }, file })).message,
      /embedder_url is not set/,
    );
  });

  it('takes the folder of a model from the folder of the file that names it, and refuses onnx without one', () => {
    const config = loadConfig({ env: {}, file: configFile('{"embedder_folder": "bge"}') });
    assert.deepEqual([config.embedder, config.embedderFolder], ['onnx', join(folder, 'bge')]);
    assert.match(
      failure(() => loadConfig({ env: { LTM_EMBEDDER: 'onnx' }, file: join(folder, 'absent.json') })).message,
      /embedder_folder is not set/,
    );
  });

  it('reads which embedder was there before, and refuses what is none', () => {
    const previous = {
      embedder: 'openai',
      embedder_url: 'http://localhost/v1',
      embedder_model: 'a',
      embedder_dimensions: 8,
    };
    assert.deepEqual(
      loadConfig({ env: {}, file: configFile(JSON.stringify({ previous_embedder: previous })) }).previousEmbedder,
      previous,
    );
    for (const wrong of [{ embedder: 'other' }, { embedder: 'static', embedder_key: 'secret' }, 'static']) {
      assert.throws(
        () => loadConfig({ env: {}, file: configFile(JSON.stringify({ previous_embedder: wrong })) }),
        /previous_embedder/,
      );
    }
  });

  it('accepts every way of treating duplicates that the model knows', () => {
    for (const value of ON_DUPLICATE)
      assert.equal(
        loadConfig({ env: { LTM_ON_DUPLICATE: value }, file: join(folder, 'absent.json') }).onDuplicate,
        value,
      );
  });

  it('refuses origins with a path and a wildcard', () => {
    const file = join(folder, 'absent.json');
    for (const value of ['*', 'https://a.example/x', 'a.example'])
      assert.throws(() => loadConfig({ env: { LTM_ALLOWED_ORIGINS: value }, file }), /list of origins/);
    assert.deepEqual(
      loadConfig({ env: { LTM_ALLOWED_ORIGINS: 'https://a.example, http://b:8080' }, file }).allowedOrigins,
      ['https://a.example', 'http://b:8080'],
    );
  });

  it('gives every setting one name, one flag and its own variable', () => {
    assert.equal(
      new Set(DECLARED_SETTINGS.settings.flatMap((setting) => setting.env)).size,
      DECLARED_SETTINGS.settings.flatMap((setting) => setting.env).length,
    );
    for (const { name, flag, env } of DECLARED_SETTINGS.settings) {
      assert.equal(flag, `--${name.replaceAll('_', '-')}`);
      assert.equal(env[0], `LTM_${name.toUpperCase()}`);
    }
  });
});

describe('the config file', () => {
  it('is changed one key at a time, readable by its owner alone, with no draft left behind', () => {
    const inner = join(folder, 'new', 'deep');
    const path = join(inner, 'config.json');
    const file = { configFile: path, declared: DECLARED_SETTINGS };
    setConfigValue(file, 'port', '9000');
    setConfigValue(file, 'log_level', 'warn');
    setConfigValue(file, 'memory_types', '{"recipe":["dessert"]}');
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
      port: 9000,
      log_level: 'warn',
      memory_types: { recipe: ['dessert'] },
    });
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(inner), ['config.json']);
    assert.equal(loadConfig({ env: {}, file: path }).port, 9000);
    assert.equal(unsetConfigValue(file, 'port'), true);
    assert.equal(unsetConfigValue(file, 'port'), false);
    assert.equal(loadConfig({ env: {}, file: path }).port, 8000);
  });

  it('stays as it was when the value is wrong', () => {
    const path = configFile('{"port": 1}');
    const file = { configFile: path, declared: DECLARED_SETTINGS };
    assert.throws(() => setConfigValue(file, 'port', 'many'), /whole number/);
    assert.throws(() => setConfigValue(file, 'prot', '2'), /prot/);
    assert.equal(readFileSync(path, 'utf8'), '{"port": 1}');
  });

  it('is not overwritten when it cannot be understood', () => {
    const path = configFile('{"port": ');
    const file = { configFile: path, declared: DECLARED_SETTINGS };
    assert.throws(() => setConfigValue(file, 'port', '2'), /not a JSON object/);
    assert.equal(readFileSync(path, 'utf8'), '{"port": ');
  });
});

it('the settings of a command are read once, and again after the program has changed them', () => {
  const file = join(folder, 'once.json');
  writeFileSync(file, '{"port": 4001}');
  const sources = { declared: DECLARED_SETTINGS, env: {}, file };
  const config = loadConfigOnce(sources);
  writeFileSync(file, '{"port": 4002}');
  assert.equal(loadConfigOnce(sources), config);
  setConfigValue(config, 'port', '4003');
  assert.equal(loadConfigOnce(sources).port, 4003);
  unsetConfigValue(config, 'port');
  assert.notEqual(loadConfigOnce(sources).port, 4003);
});
