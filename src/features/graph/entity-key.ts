import { ENTITY_KINDS, type EntityKind } from './entity.ts';

/** One key for all ways of writing the same thing. */
export function keyOf(kind: EntityKind, name: string): string {
  return `${kind}:${FOLD[kind](name.trim())}`;
}

const FOLD: Readonly<Record<EntityKind, (name: string) => string>> = {
  // A handle and the first part of an address are one name.
  person: (name) => lower(name.replace(/^@/, '').replace(/@.*$/, '').replace(/[._]+/g, ' ')),
  file: (name) =>
    name
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .replace(/:\d+(?::\d+)?$/, ''),
  package: (name) => lower(name.replace(/@[\^~]?\d.*$/, '')),
  function: (name) => name.replace(/\(.*$/s, '').replaceAll('::', '.'),
  error: (name) => name,
  url: (name) =>
    name
      .replace(/^https?:\/\/(?:www\.)?/i, '')
      .replace(/[#?].*$/, '')
      .replace(/\/+$/, '')
      .replace(/^[^/]+/, lower),
  ticket: (name) => name.toUpperCase(),
  decision: lower,
};

function lower(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ');
}

/** Which kind a name is of where it says so, as in `file:src/login.ts`. */
export function readKey(text: string): { kind: EntityKind | null; name: string } {
  const [, kind, name] = /^(\w+):(?!\/\/)\s*(.+)$/s.exec(text.trim()) ?? [];
  const known = ENTITY_KINDS.find((one) => one === kind?.toLowerCase());
  return known === undefined || name === undefined ? { kind: null, name: text.trim() } : { kind: known, name };
}

/** Names so common that the last part alone says nothing. */
const COMMON_FILES = /^(?:index|main|mod|lib|utils?|types?|config|setup|test|__init__|readme|package|app)\.\w+$/i;

/** Whether what a text names (`key`) is meant by what somebody asks for. */
export function isMeant(wanted: string, key: string): boolean {
  if (wanted === key) return true;
  const at = key.indexOf(':');
  const kind = key.slice(0, at) as EntityKind;
  if (!wanted.startsWith(`${kind}:`)) return false;
  const [asked, named] = [wanted.slice(at + 1), key.slice(at + 1)];
  if (kind === 'file') return endsWithPath(named, asked) || (endsWithPath(asked, named) && !COMMON_FILES.test(named));
  // Asked for by the first name, everybody of that name; asked for by the whole name, only them.
  if (kind === 'person') return named.startsWith(`${asked} `);
  if (kind === 'function') return named.endsWith(`.${asked}`);
  if (kind === 'ticket') return /^#\d+$/.test(asked) && named.endsWith(asked);
  if (kind === 'url') return !asked.includes('/') && named.startsWith(`${asked}/`);
  return false;
}

function endsWithPath(path: string, end: string): boolean {
  return path.endsWith(`/${end.replace(/^\/+/, '')}`);
}
