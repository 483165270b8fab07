import { looksLikeKey, looksLikePassword } from './judge-value.ts';
import { readAssigned } from './read-assigned.ts';
import type { RuleMode, SecretRule } from './secret-rule.ts';

/** Names that speak of a password without holding one: password_length, tokenUrl, secret_name … */
const ABOUT =
  /(?:length|len|min|max|size|count|limit|file|path|dir|url|uri|host|endpoint|hash|digest|name|field|type|policy|expir\w*|ttl|hint|prompt|reset|label|regex|pattern|column|input|form|page|cursor|version|format|strength|score|rotation|status|at|date|time|label|title|text|message|error|required|enabled|change|changed|count|index|usage|id)$/;

interface Names {
  kind: string;
  mode: RuleMode;
  names: readonly string[];
  accepts(value: string): boolean;
}

const LISTS: readonly Names[] = [
  {
    kind: 'password',
    mode: 'redact',
    names: 'password passwd passphrase passwort pwd mot_de_passe contraseña'.split(' '),
    accepts: looksLikePassword,
  },
  {
    kind: 'secret-assignment',
    mode: 'redact',
    names:
      'secret token api_key apikey api-key access_key accesskey access-key private_key privatekey signing_key encryption_key master_key'.split(
        ' ',
      ),
    accepts: (value) => looksLikeKey(value, 16),
  },
  {
    kind: 'generic-api-key',
    mode: 'flag',
    names: 'key auth credential creds secret token apikey'.split(' '),
    accepts: (value) => looksLikeKey(value, 10),
  },
];

/** Secrets that only their name gives away. */
export const ASSIGNMENT_RULES: readonly SecretRule[] = LISTS.map(({ kind, mode, names, accepts }) => ({
  kind,
  mode,
  literals: names,
  anyCase: true,
  glued: true,
  context: true,
  find(text, at) {
    const assigned = readAssigned(text, at);
    if (assigned === null || ABOUT.test(assigned.name)) return null;
    const keyword = names.find((name) => assigned.name.startsWith(name));
    if (keyword === undefined || isPartOfWord(text, at, at + keyword.length, mode === 'flag')) return null;
    return accepts(assigned.value) ? assigned.range : null;
  },
}));

/** `passed`, `keyboard`, and for a guess `monkey` too, hold a keyword and are other words; `apiKey`, `TOKEN_2` and `db-password` are not. */
function isPartOfWord(text: string, start: number, end: number, strict: boolean): boolean {
  const isLower = /[a-z]/.test(text[end - 1]!);
  const goesOn = isLower ? /[a-z]/ : /[A-Za-z]/;
  return (
    goesOn.test(text[end] ?? '') ||
    (strict && start > 0 && /[a-z]/.test(text[start - 1]!) && /[a-z]/.test(text[start]!))
  );
}

/** Whether a value under this name, in data that has been parsed, is to be taken for a secret. */
export function isSecretUnderName(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (ABOUT.test(lower)) return false;
  return LISTS.some(
    ({ mode, names, accepts }) => mode === 'redact' && names.some((known) => lower.includes(known)) && accepts(value),
  );
}
