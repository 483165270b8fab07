/** What a `.gitignore` leaves out, in Git's own terms; later rules win. */
export interface IgnoreRules {
  /** `path` is relative to the folder of the file, with slashes; null where no rule speaks of it. */
  isIgnored(path: string, isFolder: boolean): boolean | null;
}

interface Rule {
  shape: RegExp;
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
      const rule = rules.findLast(({ shape, foldersOnly }) => (isFolder || !foldersOnly) && shape.test(path));
      return rule === undefined ? null : !rule.negates;
    },
  };
}

function readRule(line: string): Rule | null {
  const text = line.replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#') || text.length > MAX_RULE_CHARS) return null;
  const negates = text.startsWith('!');
  const pattern = text.slice(negates ? 1 : 0).replace(/^\\(?=[#!])/, '');
  const foldersOnly = pattern.endsWith('/');
  const bare = pattern.replace(/\/$/, '');
  const isAnchored = bare.includes('/');
  const body = toShape(bare.replace(/^\//, ''));
  try {
    return { shape: new RegExp(isAnchored ? `^${body}$` : `(?:^|/)${body}$`), negates, foldersOnly };
  } catch {
    return null; // Git passes over a pattern that it cannot read, too
  }
}

/** `**` crosses folders, `*` and `?` do not. */
function toShape(glob: string): string {
  return glob.replaceAll(/\*\*\/|\/\*\*$|\*+|\?|\[(?:[^\]\\]|\\.)+\]|\\.|[.+^${}()|[\]]/g, (sign) => {
    if (sign === '**/') return '(?:[^/]+/)*';
    if (sign === '/**') return '/.+';
    if (sign.startsWith('*')) return '[^/]*';
    if (sign === '?') return '[^/]';
    if (sign.startsWith('[') && sign.length > 2) return sign.replace(/^\[!/, '[^');
    return sign.startsWith('\\') ? sign : `\\${sign}`;
  });
}
