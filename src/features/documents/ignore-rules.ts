import { matchesSigns, readSigns, type Sign } from '../../model/match-glob.ts';

/** What a `.gitignore` leaves out, in Git's own terms; later rules win. */
export interface IgnoreRules {
  /** `path` is relative to the folder of the file, with slashes; null where no rule speaks of it. */
  isIgnored(path: string, isFolder: boolean): boolean | null;
}

interface Rule {
  /** Null stands for `**`: any number of folders. */
  steps: readonly (readonly Sign[] | null)[];
  negates: boolean;
  foldersOnly: boolean;
}

const MAX_RULES = 5000;
const MAX_RULE_CHARS = 500;

export function readIgnoreRules(text: string): IgnoreRules {
  const rules = text
    .split(/\r?\n/)
    .slice(0, MAX_RULES)
    .flatMap((line) => readRule(line) ?? []);
  return {
    isIgnored(path, isFolder) {
      const names = path.split('/');
      const rule = rules.findLast(({ steps, foldersOnly }) => (isFolder || !foldersOnly) && matchesPath(steps, names));
      return rule === undefined ? null : !rule.negates;
    },
  };
}

function readRule(line: string): Rule | null {
  if (line.length > MAX_RULE_CHARS) return null;
  const text = line.replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) return null;
  const negates = text.startsWith('!');
  const pattern = text.slice(negates ? 1 : 0);
  const foldersOnly = pattern.endsWith('/');
  const bare = pattern.replace(/\/$/, '');
  const steps = bare
    .replace(/^\//, '')
    .split('/')
    .map((step) => (step === '**' ? null : readSigns(step)));
  // without a slash it means the name, however deep
  return { steps: bare.includes('/') ? steps : [null, ...steps], negates, foldersOnly };
}

/** By tables of what is reached instead of trying again and again: whatever the pattern is, it takes its length times the path's. */
function matchesPath(steps: Rule['steps'], names: readonly string[]): boolean {
  let reached = new Set([0]);
  steps.forEach((step, i) => {
    const next = new Set<number>();
    for (const at of reached)
      if (step === null) {
        // at the end it means what is inside, not the folder itself
        const least = i === steps.length - 1 ? at + 1 : at;
        for (let to = least; to <= names.length; to++) next.add(to);
      } else if (at < names.length && matchesSigns(step, names[at]!) === true) next.add(at + 1);
    reached = next;
  });
  return reached.has(names.length);
}
