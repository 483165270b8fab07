import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseSync, type TSInterfaceDeclaration } from 'oxc-parser';
import type { EngineParts } from '../src/engine/engine-parts.ts';
import { createStoreAsOf } from '../src/engine/past/store-as-of.ts';
import { readOnlyStore } from '../src/engine/read-only-store.ts';
import { guardCommits } from '../src/engine/rejections/guard-commits.ts';
import { createAllRejections } from '../src/engine/rejections/space-rejections.ts';
import { noteCommits } from '../src/engine/searches/note-commits.ts';
import { createRecentWrites } from '../src/search/index/recent-writes.ts';
import { withReadReplica } from '../src/stores/read-replica.ts';
import { KIND_TABLE } from './all-kinds.ts';
import { promiseCommits } from './stores/contract/commits.ts';
import { promiseLifecycle } from './stores/contract/lifecycle.ts';
import { type FullStore, promisesOf, type StoreUnderTest } from './stores/contract/store-under-test.ts';
import { CLOCK, makeTempStore, SILENT } from './stores/sqlite/fixtures/temp-store.ts';
import { runStoreContract } from './stores/store-contract.ts';

const ROOT = dirname(import.meta.dirname);

/** Where ports are said, and those that join them all for whoever opens, wraps or checks a whole store. */
const PORT_FILES = [
  'src/engine/ports.ts',
  'src/search/ports.ts',
  'src/model/travel-port.ts',
  'src/features/summaries/summarizer-port.ts',
  'src/auth/ports.ts',
  'src/auth/accounts.ts',
  'src/model/chunk.ts',
  'src/model/sealed.ts',
];
const WHOLES = ['Store', 'AuthStore', 'IdentityStore', 'Accounts'];
const MAX_METHODS = 12;

interface Port {
  name: string;
  bases: string[];
  /** Each with the comment before it, if there is one. */
  members: { name: string; isOptional: boolean; promise: string }[];
}

function readPorts(path: string): Port[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return parseSync(path, source).program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'TSInterfaceDeclaration') return [];
    return [toPort(node.declaration, source)];
  });
}

function toPort({ id, extends: bases, body }: TSInterfaceDeclaration, source: string): Port {
  const members: Port['members'] = [];
  let end = body.start + 1;
  for (const member of body.body) {
    if ('key' in member && member.key.type === 'Identifier')
      members.push({
        name: member.key.name,
        isOptional: 'optional' in member && member.optional === true,
        promise: source.slice(end, member.start).trim(),
      });
    end = member.end;
  }
  return {
    name: id.name,
    bases: bases.flatMap(({ expression }) => (expression.type === 'Identifier' ? [expression.name] : [])),
    members,
  };
}

const PORTS = new Map(PORT_FILES.flatMap(readPorts).map((port) => [port.name, port]));

/** A port with all that it joins. */
function joined(name: string): Port[] {
  const port = PORTS.get(name);
  ok(port !== undefined, `${name} is in no file of ports`);
  return [port, ...port.bases.flatMap(joined)];
}

test('no port has more than twelve methods', () => {
  const large = [...PORTS.values()].filter(({ members }) => members.length > MAX_METHODS);
  deepEqual(
    large.map(({ name, members }) => `${name}: ${members.length}`),
    [],
  );
});

test('every method of a port has its promise, a sentence', () => {
  const ports = new Set([...WHOLES, 'ChunkStore', 'SealedStore', 'Transfer', 'Sharing'].flatMap(joined));
  const silent = [...ports].flatMap((port) =>
    port.members
      .filter(({ promise }) => !/\/\*\*\s+(?:\*\s)?[A-Z][\s\S]*\.\s+\*\/$/.test(promise))
      .map(({ name }) => `${port.name}.${name}`),
  );
  deepEqual(silent, []);
});

/** Who opens, wraps, moves or hands on a whole store. All others ask for the ports that they need. */
const MAY_ASK_FOR_ALL = [
  /^src\/(?:index|engine\/(?:ports|engine|engine-parts))\.ts$/,
  /^src\/stores\//,
  /^src\/engine\/(?:past\/store-as-of|records\/what-follows|rejections\/guard-commits|read-only-store|searches\/note-commits|copy-space)\.ts$/,
  /^src\/auth\/(?:ports|accounts|create-accounts|accounts\/account-rights|oauth\/create-oauth-server)\.ts$/,
  /^src\/server\/(?:extension|compose-http|local-session|open-engine)\.ts$/,
  /^src\/features\/(?:maintenance\/migrate-database|people\/verbs\/define-people-verb)\.ts$/,
  /^src\/rest\/rest-env\.ts$/,
  /^src\/verbs\/(?:verb|local-session|machine)\.ts$/,
];

test('nobody asks for a whole store but who opens, wraps, moves or hands it on', () => {
  const asking = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => `src/${path.split(sep).join('/')}`)
    .filter((path) => importedNames(path).some((name) => WHOLES.includes(name)));
  deepEqual(
    asking.filter((path) => !MAY_ASK_FOR_ALL.some((pattern) => pattern.test(path))),
    [],
  );
});

function importedNames(path: string): string[] {
  const file = join(ROOT, path);
  return parseSync(file, readFileSync(file, 'utf8')).module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const from = relative(ROOT, join(dirname(file), moduleRequest.value))
      .split(sep)
      .join('/');
    return PORT_FILES.includes(from) ? entries.flatMap(({ importName }) => importName.name ?? []) : [];
  });
}

const kinds = KIND_TABLE;

/** Everything that is put around a store. */
const WRAPPERS: Record<string, (store: FullStore) => object> = {
  'the gate before commits': (store) => guardCommits(store, { kinds, rejections: createAllRejections(store) }),
  'what was written lately': (store) => noteCommits(store, createRecentWrites()),
  'a replica for reading': (store) => withReadReplica(store, store),
  'an evaluation': (store) => readOnlyStore(store, 'Nothing is written here.'),
  'the past': (store) => createStoreAsOf(partsOf(store), CLOCK.now()),
};

/** As much of them as the past asks for. */
function partsOf(store: FullStore): EngineParts {
  const parts: Partial<EngineParts> = { store, kinds, embedder: null, clock: CLOCK, log: SILENT };
  return parts as EngineParts;
}

const opened: StoreUnderTest[] = [];
after(() => Promise.all(opened.map(({ destroy }) => destroy())));

async function openStore(): Promise<FullStore> {
  const under = await makeTempStore();
  opened.push(under);
  return under.store;
}

for (const [what, wrap] of Object.entries(WRAPPERS))
  test(`a store has every port behind ${what}`, async () => {
    const store = await openStore();
    deepEqual(lackedBy(wrap(store), store), []);
  });

test('a snapshot has every port', async () => {
  const store = await openStore();
  const snapshot = await store.openSnapshot?.();
  ok(snapshot, 'SQLite gives snapshots');
  deepEqual(lackedBy(snapshot, {}), []);
  await snapshot.close();
});

/** Members of the store's ports that are missing; optional ones only where the store has them. */
function lackedBy(wrapped: object, store: object): string[] {
  return joined('Store').flatMap((port) =>
    port.members
      .filter(({ name, isOptional }) => (!isOptional || name in store) && !(name in wrapped))
      .map(({ name }) => `${port.name}.${name}`),
  );
}

runStoreContract('A store that is listened to, behind a replica', async () => {
  const under = await makeTempStore();
  const { store } = under;
  return { ...under, store: withReadReplica({ ...store, ...noteCommits(store, createRecentWrites()) }, store) };
});

// Not the whole contract: the gate looks before it commits, so a store that is closed meanwhile refuses; the engine waits before it closes.
const promiseGuarded = promisesOf(async () => {
  const under = await makeTempStore();
  const { store } = under;
  return { ...under, store: { ...store, ...guardCommits(store, { kinds, rejections: createAllRejections(store) }) } };
});
describe("A store behind the gate keeps the store's contract: commits", () => promiseCommits(promiseGuarded));
describe("A store behind the gate keeps the store's contract: deletion, restore, purge, import, relations, receipts", () =>
  promiseLifecycle(promiseGuarded));
