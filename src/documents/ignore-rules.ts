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

/** Of a name: any characters, or one that passes. */
type Sign = 'any' | ((character: string) => boolean);

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

function readSigns(step: string): Sign[] {
  const signs: Sign[] = [];
  for (const [sign] of step.matchAll(/\*+|\?|\[(?:!|\^)?\]?[^\]]*\]|\\.|[\s\S]/gu)) {
    if (sign.startsWith('*')) signs.push('any');
    else if (sign === '?') signs.push(() => true);
    else if (sign.startsWith('[') && sign.length > 2) signs.push(readClass(sign.slice(1, -1)));
    else {
      const literal = sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign;
      signs.push((character) => character === literal);
    }
  }
  return signs;
}

function readClass(body: string): (character: string) => boolean {
  const negates = /^[!^]/.test(body);
  const ranges = [...body.slice(negates ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)];
  const holds = (character: string): boolean =>
    ranges.some(([one, from, to]) =>
      from !== undefined && to !== undefined ? from <= character && character <= to : one === character,
    );
  return (character) => holds(character) !== negates;
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
      } else if (at < names.length && matchesName(step, names[at]!)) next.add(at + 1);
    reached = next;
  });
  return reached.has(names.length);
}

/** The last star takes one character more whenever what follows does not fit; earlier ones never need to. */
function matchesName(signs: readonly Sign[], name: string): boolean {
  const characters = [...name];
  let [sign, at, star, from] = [0, 0, -1, 0];
  while (at < characters.length) {
    const wanted = signs[sign];
    if (wanted === 'any') {
      star = sign++;
      from = at;
    } else if (wanted?.(characters[at]!) === true) {
      sign++;
      at++;
    } else if (star >= 0) {
      sign = star + 1;
      at = ++from;
    } else return false;
  }
  return signs.slice(sign).every((rest) => rest === 'any');
}
