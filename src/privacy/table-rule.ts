import { looksMade } from './judge-value.ts';
import { matchAt, type Range, type SecretRule } from './secret-rule.ts';

const WORD =
  /(?:pass(?:word|wd|wort|phrase)?|pwd?|kennwort|mot de passe|mdp|contraseña|clave|senha|パスワード|密码|密碼)(?=[ \t]*(?:[|,;\t]|\r?\n|$))/iuy;
const LONGEST_LINE = 400;
const MOST_ROWS = 25;

/** A column of passwords: in a table of Markdown, or in lines of fields parted by commas, semicolons or tabs. */
export const TABLE_RULE: SecretRule = {
  kind: 'password',
  mode: 'redact',
  literals: [
    'pass',
    'pw',
    'kennwort',
    'mot de passe',
    'mdp',
    'contrase',
    'clave',
    'senha',
    'パスワード',
    '密码',
    '密碼',
  ],
  anyCase: true,
  glued: false,
  context: true,
  find(text, at) {
    if (matchAt(WORD, text, at) === null) return null;
    const start = Math.max(text.lastIndexOf('\n', at), at - LONGEST_LINE - 1) + 1;
    const end = endOfLine(text, start);
    const headings = text.slice(start, end);
    const sign = findSign(headings);
    if (sign === null || at >= end) return null;
    const before = text.slice(start, at).split(sign);
    return before.at(-1)!.trim() === ''
      ? readColumn(text, end, sign, before.length - 1, headings.split(sign).length)
      : null;
  },
};

function endOfLine(text: string, from: number): number {
  const window = text.slice(from, from + LONGEST_LINE + 1);
  const end = window.search(/\r?\n/);
  return end === -1 ? from + window.length : from + end;
}

/** A table of Markdown, or fields of which another says whose password it is. */
const WHOSE =
  /(?:^|[,;\t|])[ \t"]*(?:user|login|e-?mail|name|account|benutzer|host|service|utilisateur|identifiant|usuario|usuário|ユーザー|用户)/iu;

/** What parts the fields of a line of headings; each is one or a few words. */
function findSign(line: string): string | null {
  for (const sign of ['|', '\t', ';', ',']) {
    const cells = line.split(sign).map((cell) => cell.trim());
    const areNames = cells.every((cell) => /^[\p{L}\p{N} _./*"-]{0,32}$/u.test(cell) && (cell !== '' || sign === '|'));
    if (cells.length >= 2 && areNames && WHOSE.test(line)) return sign;
  }
  return null;
}

function readColumn(text: string, headings: number, sign: string, column: number, columns: number): Range[] | null {
  const found: Range[] = [];
  let from = headings;
  for (let row = 0; row < MOST_ROWS; row++) {
    from += text[from] === '\r' ? 2 : 1;
    if (from >= text.length) break;
    const end = endOfLine(text, from);
    const cells = text.slice(from, end).split(sign);
    if (cells.length !== columns || end - from > LONGEST_LINE) break;
    const cell = cells[column]!;
    const value = cell.trim().replace(/^["'`*]+|["'`*]+$/g, '');
    if (looksMade(value) && !/\\/.test(value)) {
      const start = from + cells.slice(0, column).join(sign).length + (column > 0 ? 1 : 0) + cell.indexOf(value);
      found.push([start, start + value.length]);
    }
    from = end;
  }
  return found.length === 0 ? null : found;
}
