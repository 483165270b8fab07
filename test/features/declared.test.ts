import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { EngineFeature } from '../../src/engine/engine.ts';
import { loadConfig as loadProgramConfig } from '../../src/features/config.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { documents } from '../../src/features/documents/feature.ts';
import type { Feature } from '../../src/features/feature.ts';
import { FEATURES } from '../../src/features/features.ts';
import { SETTING_PARTS } from '../../src/features/settings.ts';
import { summaries } from '../../src/features/summaries/feature.ts';
import { openEngineAndStore } from '../../src/server/open-engine.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { after, optional, setting } from '../../src/settings/define-setting.ts';
import { integer, path } from '../../src/settings/setting-kinds.ts';
import { joinSettings } from '../../src/settings/settings.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { DAY, makeCaller, makeClock, makeFolder, START, silentLog } from '../open-test-engine.ts';

const caller = makeCaller('cli');

test('a feature beside those of the program has jobs done and records restored in its way', async (t) => {
  const loaded: string[] = [];
  let isDue = false;
  const shelf: EngineFeature = {
    name: 'shelf',
    jobs: [
      {
        name: 'dusted',
        isDue: () => isDue,
        async run() {
          loaded.push('job');
          return async (core) => ({ count: 3, complete: true, dueAt: core.clock.now() + DAY });
        },
      },
    ],
    async restoring() {
      loaded.push('restoring');
      return async (core, by, record) => {
        await core.store.commit(record.space, [{ op: 'delete', id: record.id, at: START }], `test:${by.userId}`);
        return { ...record, title: 'taken off the shelf' };
      };
    },
  };
  const [clock, log] = [makeClock(), silentLog];
  const store = await openStore(`${makeFolder()}/memory.db`, { clock, log });
  const engine = createEngine({ store, clock, log, embedder: null }, DEFAULT_SETTINGS, [...FEATURES, shelf]);
  t.after(() => engine.close());

  const stored = await engine.storeMemory(caller, { content: 'The lamp stands on the left.' });
  assert.equal((await engine.runUpkeep()).dusted, 0);
  assert.deepEqual(loaded, []);

  isDue = true;
  await engine.storeMemory(caller, { content: 'The books stand on the right.' });
  assert.equal((await engine.runUpkeep()).dusted, 3);
  clock.run(2 * DAY);
  assert.equal((await engine.runUpkeep()).dusted, 3, 'a job names the time of its next round');
  assert.deepEqual(loaded, ['job', 'job']);

  assert.ok(stored.outcome === 'stored');
  await engine.deleteMemories(caller, { refs: [stored.memory.id] });
  await engine.restoreMemories(caller, [stored.memory.id]);
  assert.equal(loaded.at(-1), 'restoring');
  assert.deepEqual((await engine.listMemories(caller, {})).items.length, 1);
});

test('what follows from a change goes into the same commit, and nothing is loaded for any other', async (t) => {
  let loads = 0;
  let others: readonly string[] = [];
  const pairs: EngineFeature = {
    name: 'pairs',
    follows: {
      ops: ['delete'],
      revised: ['memory'],
      async plan() {
        loads++;
        return async (_store, { causes, clock }) =>
          causes.some(({ op }) => op === 'delete')
            ? others.map((id) => ({ op: 'delete', id, at: clock.now(), revision: 1 }) as const)
            : [];
      },
    },
  };
  const [clock, log] = [makeClock(), silentLog];
  const store = await openStore(`${makeFolder()}/memory.db`, { clock, log });
  const engine = createEngine({ store, clock, log, embedder: null }, DEFAULT_SETTINGS, [...FEATURES, pairs]);
  t.after(() => engine.close());
  const put = async (content: string): Promise<string> => {
    const stored = await engine.storeMemory(caller, { content });
    assert.ok(stored.outcome === 'stored');
    return stored.memory.id;
  };
  const left = await put('The left glove is red.');
  const right = await put('The right glove is red.');
  const moved = await put('The hat hangs behind the door.');
  assert.equal(loads, 0);

  await engine.updateMemory(caller, { ref: moved, tags: ['hats'] });
  assert.equal(loads, 1);

  others = [right, moved];
  const before = (await engine.listChanges(caller, { after: 0, limit: 100 })).length;
  await engine.deleteMemories(caller, { refs: [left] });
  const { items } = await engine.listMemories(caller, {});
  assert.deepEqual(
    items.map(({ id }) => id),
    [moved],
    'what another has changed meanwhile is left as it is',
  );
  assert.equal((await engine.listChanges(caller, { after: 0, limit: 100 })).length, before + 2);
});

test('a port is opened by the first who asks for it, or where its setting is given, and closed with the engine', async () => {
  const seen: string[] = [];
  const close = (name: string) => async () => void seen.push(`${name} closed`);
  const reader: Feature = {
    ...documents,
    opens: { documents: { open: async () => () => ({ ...createDocumentReader(), close: close('reader') }) } },
  };
  const summarizer: Feature = {
    ...summaries,
    opens: {
      summarizer: {
        ifSet: 'summarizerUrl',
        async open() {
          const { openSummarizer } = await import('../../src/features/summaries/open-summarizer.ts');
          return (config, log) => {
            seen.push(`summarizer of ${config.summarizerUrl}`);
            return { ...openSummarizer(config, log), close: close('summarizer') };
          };
        },
      },
    },
  };
  const features = [...FEATURES.filter(({ name }) => name !== 'documents' && name !== 'summaries'), reader, summarizer];
  const open = async (env: Record<string, string>) => {
    const config = loadProgramConfig({
      env: { LTM_CONFIG_DIR: makeFolder(), LTM_DB: `${makeFolder()}/memory.db`, ...env },
    });
    return (await openEngineAndStore(config, silentLog, { features })).engine;
  };
  await (await open({})).close();
  assert.deepEqual(seen, []);

  const reading = await open({});
  for (const name of ['one.md', 'two.md'])
    await reading.ingestDocument(caller, {
      name,
      bytes: Buffer.from(`The lamp of ${name} stands on the left.`),
      uri: name,
    });
  await reading.close();
  assert.deepEqual(seen.splice(0), ['reader closed']);

  await (await open({ LTM_SUMMARIZER_URL: 'http://127.0.0.1:9' })).close();
  assert.deepEqual(seen, ['summarizer of http://127.0.0.1:9', 'summarizer closed']);
});

test('a feature beside those of the program has settings, listed where it says, and places that follow from them', () => {
  let looked = 0;
  const shelf = {
    table: after('logFile', {
      shelfBoards: setting(integer(1, 9), 3, ['SHELF_BOARDS']).about('Number of boards.'),
      shelfFolder: optional(path).about('Where it stands.'),
    }),
    places: {
      wall({ db }: { db: string }) {
        looked++;
        return `behind ${db}`;
      },
    },
    earlier: {
      file: 'shelf.ini',
      read: (text: string) => ({ log_level: 'warn', shelf_boards: Number(text) }),
      without: () => '',
    },
  };
  const declared = joinSettings([...SETTING_PARTS, shelf]);
  const names = declared.settings.map(({ name }) => name);
  const at = names.indexOf('log_file');
  assert.deepEqual(names.slice(at + 1, at + 5), ['backup_dir', 'backup_keep_days', 'shelf_boards', 'shelf_folder']);

  const LTM_CONFIG_DIR = makeFolder();
  writeFileSync(`${LTM_CONFIG_DIR}/shelf.ini`, '4');
  writeFileSync(`${LTM_CONFIG_DIR}/config.json`, '{"shelf_folder": "attic", "log_level": "error"}');
  const config = loadConfig({ declared, env: { LTM_CONFIG_DIR, LTM_DB: '/data/memory.db' } });
  const { logLevel, shelfBoards, shelfFolder } = config as typeof config & Record<string, unknown>;
  const { places } = { ...config };
  assert.equal(looked, 0, 'a place is found when it is asked for');
  const wall = [1, 2].map(() => Reflect.get(places, 'wall'));
  assert.deepEqual(
    [logLevel, shelfBoards, shelfFolder, wall],
    ['error', 4, `${LTM_CONFIG_DIR}/attic`, ['behind /data/memory.db', 'behind /data/memory.db']],
  );
  assert.equal(looked, 1);
  const said = loadConfig({ declared, env: { LTM_CONFIG_DIR, SHELF_BOARDS: '7' }, flags: {} });
  assert.equal((said as typeof said & Record<string, unknown>).shelfBoards, 7);
  assert.throws(() => joinSettings([...SETTING_PARTS, { table: { db: shelf.table.shelfFolder } }]), /share a name/);
});
