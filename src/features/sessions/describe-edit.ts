import { baseName, type Description, distinct, MOST_CONCEPTS, showPaths } from './description.ts';
import { nameSymbols } from './name-symbols.ts';
import type { ObservationType } from './observation.ts';
import { nameSome, oneLine } from './plain-output.ts';
import type { FileEdit } from './read-patch.ts';

const WORDS = { edited: 'Edited', created: 'Created', written: 'Wrote', deleted: 'Deleted', moved: 'Moved' } as const;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|swift|rb|php|cs|c|cc|cpp|h|hpp|scala|ex|exs|dart|lua|sh|sql|vue|svelte)$/i;
const TESTS = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i;

/** What changed in which files: names of what was touched, lines that came and went; a single line that was replaced is shown. */
export function describeEdit(edits: readonly FileEdit[], output: string, directory: string | null): Description {
  const files = showPaths(
    edits.map(({ path }) => path),
    directory,
  );
  const all = edits.map((edit) => ({ ...edit, how: knowHow(edit, output) }));
  const symbols = distinct(
    all.flatMap(({ added, removed, before }) => nameSymbols([...added, ...removed], before)),
    12,
  );
  const count = (key: 'added' | 'removed'): number => all.reduce((sum, edit) => sum + edit[key].length, 0);
  const [added, removed] = [count('added'), count('removed')];
  const hows = new Set(all.map(({ how }) => how));
  const word = hows.size === 1 ? WORDS[all[0]!.how] : 'Changed';
  const where = files.length === 1 ? files[0]! : `${files.length} files (${nameSome(files.map(baseName), 3)})`;
  const swap = showSwap(all);
  const detail = swap ?? nameSome(symbols, 4);
  const size =
    hows.has('deleted') && hows.size === 1 ? '' : removed === 0 ? ` (+${added})` : ` (+${added} −${removed})`;
  const colon = detail === '' ? '' : `: ${detail}`;
  const what = `${word} ${where}${swap === null ? size : ''}${colon}`;
  return {
    title: oneLine(`${word} ${files.length === 1 ? baseName(files[0]!) : `${files.length} files`}${colon || size}`, 80),
    summary: oneLine(what, 240),
    type: typeOf(all, symbols),
    files,
    concepts: distinct([...symbols.filter((name) => !name.startsWith('"')), ...files.map(stem)], MOST_CONCEPTS),
    failed: false,
    act: 'edit',
    command: null,
    problem: null,
  };
}

/** Agents say in the answer whether a file that was written is new. */
function knowHow({ how }: FileEdit, output: string): FileEdit['how'] {
  if (how !== 'written') return how;
  const said = output.slice(0, 400);
  if (/\bcreated\b|"type":\s*"create"|Wrote file successfully|new file/i.test(said)) return 'created';
  return /\b(?:updated|overw\w+|"type":\s*"update")/i.test(said) ? 'edited' : 'written';
}

/** `port: 3000 → port: 8080`, where one line took the place of another and both are short. */
function showSwap(edits: readonly FileEdit[]): string | null {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1 || edit.added.length !== 1 || edit.removed.length !== 1) return null;
  const [old, next] = [edit.removed[0]!.trim(), edit.added[0]!.trim()];
  return old === '' || next === '' || old.length > 70 || next.length > 70 ? null : `${old} → ${next}`;
}

function typeOf(edits: readonly FileEdit[], symbols: readonly string[]): ObservationType {
  const code = edits.filter(({ path }) => CODE.test(path) && !TESTS.test(path));
  if (code.length === 0) return 'change';
  if (code.every(({ how }) => how === 'moved' || how === 'deleted') || isRename(code)) return 'refactor';
  const gained = code.flatMap(({ added, removed }) => {
    const old = new Set(nameSymbols(removed));
    return nameSymbols(added).filter((name) => !old.has(name));
  });
  return symbols.length > 0 && gained.length > 0 && !code.some(({ removed }) => nameSymbols(removed).length > 0)
    ? 'feature'
    : 'change';
}

/** The same lines but for one name. */
function isRename(edits: readonly FileEdit[]): boolean {
  return edits.every(({ added, removed }) => {
    if (added.length === 0 || added.length !== removed.length) return false;
    const pairs = new Set<string>();
    for (let i = 0; i < added.length; i++) {
      const [from, to] = [removed[i]!.match(/[\w$]+/g) ?? [], added[i]!.match(/[\w$]+/g) ?? []];
      if (from.length !== to.length || removed[i]!.replace(/[\w$]+/g, '') !== added[i]!.replace(/[\w$]+/g, ''))
        return false;
      for (let j = 0; j < from.length; j++) if (from[j] !== to[j]) pairs.add(`${from[j]} ${to[j]}`);
    }
    return pairs.size === 1 && ![...pairs].some((pair) => /^\d|\s\d|^(?:true|false)\b/.test(pair));
  });
}

function stem(path: string): string {
  return baseName(path).replace(/(?:\.(?:test|spec|d))?\.\w+$/, '');
}
