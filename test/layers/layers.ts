import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '../..');

const CORE = ['model', 'privacy', 'settings', 'search', 'engine', 'verbs'];
const DOORS = ['cli', 'mcp', 'rest', 'client', 'pages'];

/** A room's ports are one module or a folder of them. */
const PORTS = ['engine/ports.ts', 'engine/ports', 'search/ports.ts', 'search/ports'];

/** Who may import whom, by room; a path with a slash is one module or one folder of it. `features` and `compat` are the tables beside their folders. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  privacy: ['model'],
  search: ['model'],
  engine: ['model', 'privacy', 'search'],
  settings: ['model', 'privacy', 'engine'],
  verbs: ['model', 'search', 'engine', 'auth', 'settings'],
  stores: ['model', ...PORTS, 'auth/ports.ts', 'auth/ports'],
  embedders: ['model', ...PORTS],
  auth: ['model', 'engine'],
  agents: ['model', 'privacy'],
  pages: ['model'],
  client: ['model', 'privacy', 'settings', 'verbs', 'features'],
  mcp: ['model', 'privacy', 'engine', 'auth', 'verbs', 'features'],
  rest: ['model', 'privacy', 'engine', 'auth', 'verbs', 'pages', 'features'],
  cli: [...CORE, 'agents', 'auth', 'client', 'server', 'features', 'compat'],
  server: [...CORE, 'stores', 'embedders', 'auth', 'agents', 'mcp', 'rest', 'client', 'pages', 'features', 'compat'],
  features: [...CORE, 'auth', ...DOORS, 'features/*', 'compat'],
  compat: [...CORE, 'auth', ...DOORS, 'features', 'compat/*'],
};
/** What every feature may import; other features only where it needs them, and the tables of all features never. */
const EVERY_FEATURE = [...CORE, 'auth', ...DOORS, 'features/feature.ts', 'features/host.ts', 'features/late.ts'];
/** Features that are about the agents of this machine. */
const OF_AGENTS = ['sessions', 'workspaces', 'harvest', 'setup'];
const EVERY_COMPAT = [...CORE, 'auth', 'agents', ...DOORS, 'features'];

export interface Source {
  readonly path: string;
  readonly source: string;
  readonly isTest: boolean;
}

export interface Import {
  /** `value`: when the module is loaded. `late`: by `import()`. `type`: for the compiler alone. */
  readonly kind: 'value' | 'late' | 'type';
  readonly name: string;
  /** Of a late one: it stands where a module is declared to be loaded late, and not in the middle of a function. */
  readonly isDeclared?: boolean;
}

export const files: readonly Source[] = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort()
  .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8'), isTest: path.endsWith('.test.ts') }));
export const shipped = files.filter((file) => !file.isTest);

const read = new Map<string, readonly Import[]>();

export function importsOf({ path, source }: Source): readonly Import[] {
  const known = read.get(path);
  if (known !== undefined) return known;
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]!.message}`);
  const found: Import[] = [];
  visit(program, { found, declared: listDeclared(program) });
  read.set(path, found);
  return found;
}

/**
 * `() => import('…')` and `async () => (await import('…')).name` as an entry of a table, or handed to what loads it for everybody: both in what a
 * module says at its top, outside any other function.
 */
function listDeclared({ body }: { readonly body: readonly unknown[] }): Set<unknown> {
  const found = new Set<unknown>();
  const walk = (value: unknown, isEntry: boolean): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, true);
    else if (typeof value === 'object' && value !== null) {
      const node = value as Node;
      if (/Function|Class/.test(node.type ?? '')) {
        const loaded = isEntry && node.params?.length === 0 ? loadedBy(node.body) : null;
        if (loaded !== null) found.add(loaded);
      } else for (const item of Object.values(node)) walk(item, isEntry || node.type === 'Property');
    }
  };
  for (const statement of body as readonly Node[]) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { init } of declarations) walk(init, false);
  }
  return found;
}

/** The `import()` that a function is and nothing else, but for the name of what is taken from the module. */
function loadedBy(body: Node | null | undefined): Node | null {
  if (body?.type === 'ImportExpression') return body;
  const inner = {
    MemberExpression: body?.object,
    AwaitExpression: body?.argument,
    ParenthesizedExpression: body?.expression,
  };
  return body !== null && body !== undefined && body.type in inner
    ? loadedBy(inner[body.type as keyof typeof inner])
    : null;
}

interface Node {
  readonly type: string;
  readonly source?: Node | null;
  readonly value?: unknown;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly specifiers?: readonly Node[];
  readonly params?: readonly Node[];
  readonly body?: Node | null;
  readonly init?: Node | null;
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly object?: Node;
  readonly argument?: Node;
  readonly expression?: Node;
}

interface Seen {
  readonly found: Import[];
  readonly declared: ReadonlySet<unknown>;
}

function visit(value: unknown, seen: Seen): void {
  if (Array.isArray(value)) for (const item of value) visit(item, seen);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') see(value as Node, seen);
    for (const item of Object.values(value)) visit(item, seen);
  }
}

function see(node: Node, { found, declared }: Seen): void {
  const { type, source, importKind, exportKind, specifiers } = node;
  const name = source?.value;
  if (typeof name !== 'string') return;
  const isType = (each: Node): boolean => each.importKind === 'type' || each.exportKind === 'type';
  const areTypes =
    importKind === 'type' || exportKind === 'type' || (specifiers?.length !== 0 && specifiers?.every(isType) === true);
  const kind = type === 'ImportExpression' ? 'late' : type === 'TSImportType' || areTypes ? 'type' : 'value';
  found.push({ kind, name, ...(kind === 'late' && { isDeclared: declared.has(node) }) });
}

/** The modules of ours that a module imports, as paths from the project's root. */
export function importedFiles(file: Source, kinds: readonly Import['kind'][]): string[] {
  return importsOf(file)
    .filter(({ kind, name }) => kinds.includes(kind) && name.startsWith('.'))
    .map(({ name }) => posix.join(posix.dirname(file.path), name));
}

/** `engine`, `features/graph`, `compat/service`; `features` and `compat` for the tables beside their folders. */
export function roomOf(path: string): string {
  const [, room, inner, file] = path.split('/');
  return (room === 'features' || room === 'compat') && file !== undefined ? `${room}/${inner}` : room!;
}

/** The folders of the features that a declaration says it needs. */
function neededBy(declared: string): readonly string[] {
  const declaration = files.find(({ path }) => path === declared);
  const list = /^\s*needs: \[([^\]]*)\]/m.exec(declaration?.source ?? '')?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map(([, name]) => `features/${name}`);
}

function allowedFor(room: string): readonly string[] | undefined {
  const [place, name] = room.split('/');
  if (place === 'compat' && name !== undefined) return [...EVERY_COMPAT, ...neededBy(`src/${room}/compat.ts`)];
  if (place !== 'features' || name === undefined) return MAY_IMPORT[room];
  const needed = neededBy(`src/${room}/feature.ts`);
  return [...EVERY_FEATURE, ...needed, ...(OF_AGENTS.includes(name) ? ['agents'] : [])];
}

function allows(rule: string, target: string): boolean {
  const path = target.slice('src/'.length);
  const place = /^(features|compat)(\/\*)?$/.exec(rule);
  if (place !== null) return path.startsWith(`${place[1]}/`) && path.split('/').length > 2 === (place[2] !== undefined);
  return path === rule || path.startsWith(`${rule}/`);
}

/** Imports that the table does not allow, each once: `src/a.ts → src/b.ts`. */
export function listBreaches(): string[] {
  const found = new Set<string>();
  for (const file of shipped) {
    if (file.path === 'src/index.ts') continue;
    const room = roomOf(file.path);
    const allowed = allowedFor(room);
    if (allowed === undefined) throw new Error(`${room} is not in the import table`);
    for (const target of importedFiles(file, ['value', 'late', 'type']))
      if (roomOf(target) !== room && !allowed.some((rule) => allows(rule, target)))
        found.add(`${file.path} → ${target}`);
  }
  return [...found].sort();
}
