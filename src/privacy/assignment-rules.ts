import {
  isExpression,
  isGenerated,
  isIdentifier,
  isJumble,
  isPhrase,
  isPlainWord,
  isSpelt,
  isUuid,
  looksLikeKey,
  looksMade,
  looksStrong,
} from './judge-value.ts';
import { isPiece } from './key-body.ts';
import { AFTER_LOGIN, type Assigned, readAssigned, standsAmid } from './read-assigned.ts';
import { matchAt, type Range, type RuleMode, type SecretRule } from './secret-rule.ts';

/** Names that speak of a password without holding one: password_length, tokenUrl, secret_name … */
const ABOUT =
  /(?:length|len|min|max|size|count|limit|file|path|dir|url|uri|host|endpoint|hash|digest|name|field|type|policy|expir\w*|ttl|hint|prompt|reset|label|regex|pattern|column|input|form|page|cursor|version|format|strength|score|rotation|status|at|date|time|label|title|text|message|error|required|enabled|change|changed|count|index|usage|id|algorithm|charset|timeout|days|age|attempts|retries|rounds|iterations|history|interval|period|\.(?:rb|py|[jt]sx?|go|java|php|html?|md|c|h|cpp|rs|txt|json|ya?ml)|startswith|endswith|i?contains|i?exact)$/i;
const ABOUT_PASSWORDS =
  /(?:key|ref|salt|var|arg|cmd|command|confirm\w*|placeholder|selector|class|icon|visible|manager|store|provider|validator|encoder|through|fn|func|callback|hook|check|dialog|view|box|stdin)s?$/i;

interface Keyword {
  /** What the name says, found in any case. */
  pattern: RegExp;
  /** Words of which it may be the end without a mark between: `rootpw`, `SSHPASS`. */
  glue?: RegExp;
  accepts(assigned: Assigned): boolean;
}

const GLUE =
  /(?:db|ssh|user|my|root|admin|ftp|smtp|mail|key|store|proxy|http|require|mysql|pg|sql|bind|vnc|api|app|sys|wifi|ldap|imap|rdp|web|mongo|redis|master|default|auth)$/i;

const PASSWORD: Keyword = {
  pattern:
    /(?:pass(?:word|wd|wort|phrase|code|wrd)|pa?swd|kennwort|motdepasse|mot[_ -]de[_ -]passe|contrase(?:ñ|n)a|senha|palavra[_-]passe|パスワード|密码|密碼|口令)/iy,
  accepts: (assigned) => !ABOUT_PASSWORDS.test(assigned.suffix) && acceptsPassword(assigned),
};
/** Names that also mean other things: a value must show that it is a password. */
const SHORT: Keyword = {
  pattern: /(?:pass|pwd|pw|mdp|psk)(?![a-z])/iy,
  glue: GLUE,
  accepts: (assigned) => !ABOUT_PASSWORDS.test(assigned.suffix) && acceptsShort(assigned),
};

function acceptsPassword(assigned: Assigned): boolean {
  const { prefix, suffix, form, value, ownLine, before } = assigned;
  const { text, quoted, next } = value;
  if (isCompared(assigned)) return isSureValue(assigned);
  if (form === 'call' && suffix.startsWith('.')) return false;
  if (!quoted && isIdentifier(text) && /passw|secret|token/i.test(text) && !(form === 'tight' && /\d\d$/.test(text)))
    return false;
  if ((form === 'beside' || form === 'option') && text.startsWith('-') && !quoted) return false;
  if (isSureValue(assigned)) return true;
  if (isJumble(text) && standsOut(assigned)) return true;
  if (form === 'beside' && (quoted ? !text.startsWith('-') : AFTER_LOGIN.test(before)) && isGenerated(text))
    return true;
  if (form === 'beside')
    return looksMade(text) && (quoted || ownLine || isSetting(assigned) || AFTER_LOGIN.test(before));
  if (quoted)
    return (
      looksMade(text) ||
      isPhrase(text) ||
      (form === 'key' && /^\d{4,12}$/.test(text)) ||
      (isPlainWord(text) && (form === 'key' || (ownLine && !/^[,;)]/.test(next)))) ||
      (ownLine && form === 'tight' && isSetting(assigned) && isFreeText(text))
    );
  if ((ownLine || (form === 'set' && suffix === '')) && isPhrase(text.toLowerCase()) && text.split(/[ -]/).length > 3)
    return true;
  if (form === 'pair' || form === 'tag') return looksMade(text) || isPlainWord(text);
  if (form === 'option')
    return looksMade(text) || (!/no|ask/.test(prefix) && isPlainWord(text) && /^(?: -|\n|$)/.test(next));
  if (looksMade(text)) return !isIdentifier(text) || form === 'tight' || ownLine || !/^[,;)}\].(]/.test(next);
  return ownLine && isPlainWord(text) && ((form === 'tight' && isSetting(assigned)) || hasNameBeside(assigned));
}

function acceptsShort(assigned: Assigned): boolean {
  const { form, value, ownLine, before } = assigned;
  const { text, quoted } = value;
  if (isCompared(assigned)) return isSureValue(assigned);
  if (isSureValue(assigned)) return true;
  if (isJumble(text) && standsOut(assigned)) return true;
  if (!looksMade(text)) return form === 'key' && isPhrase(text);
  if (form === 'beside') return false;
  if (quoted || form === 'option' || form === 'tag' || form === 'pair') return true;
  if (!isIdentifier(text)) return ownLine || !/[;{}()<>]|^!|=>/.test(text);
  if (/^[a-z]+(?:[A-Z][a-z]+)+\d{0,2}$/.test(text)) return false;
  return ownLine || (form === 'tight' && (isSetting(assigned) || /[;?&]$|\buser(?:name)?=\S{1,64}[ ,]+$/.test(before)));
}

/** `name==value` compares, unless the value begins with the sign. */
function isCompared({ form, value }: Assigned): boolean {
  return form === 'tight' && !value.quoted && value.text.startsWith('=');
}

/** Made by a generator, in a place where a value is and no expression. */
function isSureValue(assigned: Assigned): boolean {
  const { form, value, ownLine, before } = assigned;
  if (form === 'beside' || (form === 'call' && !(value.quoted && isSetting(assigned)))) return false;
  if (!isGenerated(value.text)) return false;
  if (value.quoted) return true;
  if (isExpression(value.text)) return false;
  if (form === 'tag' || form === 'option' || form === 'pair' || ownLine) return true;
  if (form === 'tight' && /(?:^|\s)$/.test(before)) return true;
  return (form === 'tight' || form === 'set') && standsAmid(before) && !isSpelt(value.text);
}

/** As long as no word and no name is; one that stands beside its name must be. */
const LONG = 32;
/** Tokens of a page, a request or a run, which open nothing. */
const PASSING =
  /(?:page|next|prev\w*|sync|continu\w*|idempot\w*|cancel\w*|request|trace|correlat\w*|csrf|xsrf|lock|job|task|batch|upload|delete|undo)[ _.-]?(?:token|secret)$|client[ _.-]?token$/i;

/** As much is looked at for the first of two words: `page token`. */
const WORD_BEFORE = 12;

/** On a line or in a string of its own, in a sentence, or a setting before a command. */
function standsFree(assigned: Assigned): boolean {
  const { ownLine, before, form } = assigned;
  return (
    ownLine ||
    /["']$/.test(before) ||
    form === 'option' ||
    form === 'tag' ||
    ((form === 'tight' || form === 'set') && (standsAmid(before) || isSetting(assigned)))
  );
}

function acceptsKey(assigned: Assigned): boolean {
  const { form, value, word, prefix, suffix, before } = assigned;
  if (isCompared(assigned)) return isSureValue(assigned);
  // `key: testKey256,` is code.
  if (
    !value.quoted &&
    isIdentifier(value.text) &&
    /^[,;)}]/.test(value.next) &&
    /^[A-Za-z]?[a-z]{2,}[A-Z_]/.test(value.text) &&
    !(form === 'tight' && isSetting(assigned))
  )
    return false;
  if (form === 'beside')
    return (
      (value.text.length >= LONG && /^(?=.*\d)[\w+/=-]+$/.test(value.text) && isPiece(value.text)) ||
      (isUuid(value.text) && (/^_?auth$/i.test(prefix) || (/key$/i.test(word) && suffix === '')))
    );
  if (isSureValue(assigned)) return true;
  if (isUuid(value.text) && /_auth$/i.test(prefix)) return true;
  if (isUuid(value.text))
    return !PASSING.test(before.slice(-WORD_BEFORE) + prefix + word) && (value.quoted || standsFree(assigned));
  if (isJumble(value.text) && standsOut(assigned)) return true;
  if (/^secret$/i.test(word) && suffix === '' && value.quoted && looksStrong(value.text)) return true;
  if (form === 'tight' && assigned.ownLine && isSetting(assigned) && hasAllKinds(value.text)) return true;
  return (
    looksLikeKey(value.quoted ? value.text.replace(/[!@#$%^&*(),;:?|]/g, '') : value.text, 16) &&
    !/^[a-z]+(?:[A-Z][a-z]+)+\d{0,4}$/.test(value.text)
  );
}

/** Capitals, small letters, digits and signs, as no name and no path has them. */
function hasAllKinds(text: string): boolean {
  return text.length >= 8 && /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!@#$%^&*])/.test(text) && looksStrong(text);
}

/** `DB_PASSWORD`: the name of a setting, and not of a variable in code. */
function isSetting({ prefix, word }: Assigned): boolean {
  return /^[A-Z][A-Z0-9_]*_$/.test(prefix) || (prefix === '' && /^[A-Z]{3,}$/.test(word));
}

/** Where a value is, and no name of code can be. */
function standsOut({ form, value, ownLine, before }: Assigned): boolean {
  if (form === 'beside' || form === 'call') return false;
  return (
    value.quoted ||
    form === 'tag' ||
    form === 'pair' ||
    form === 'option' ||
    (form === 'tight' && (ownLine || /[?&;]$/.test(before)))
  );
}

/** A name or a host on the line before or after, as in a file of settings. */
function hasNameBeside({ before, after }: Assigned): boolean {
  return NAME_LINE.test(before.slice(0, before.lastIndexOf('\n') + 1)) || NAME_LINE.test(after);
}

const NAME_LINE =
  /(?:^|\n)[ \t-]*["']?(?:\w{1,24}[._-])?(?:user(?:name)?|login|host|server|e?mail|account|database|dbname)["']?[ \t]*[:=][ \t]*\S[^\n]*(?:\n|$)/i;

/** Words with a digit among them, none of which says that a password is wanted. */
function isFreeText(text: string): boolean {
  return text.length >= 8 && /\d/.test(text) && / /.test(text) && !/pass|enter|your|please|type|[${}<>%]/i.test(text);
}

/** `passed`, `keyboard`, `bypass` hold a keyword and are other words; `apiKey`, `TOKEN_2` and `db-password` are not. */
function isPartOfWord(text: string, start: number, end: number, glue: RegExp | undefined): boolean {
  const first = text[start]!;
  const before = text[start - 1] ?? '';
  const isLower = /[a-z]/.test(text[end - 1]!);
  if ((isLower ? /[a-z]/ : /[A-Za-z]/).test(text[end] ?? '')) return true;
  if (glue === undefined) return false;
  const goesOn = /[a-z]/.test(first) ? /[a-z]/.test(before) : /[A-Z]/.test(before);
  return goesOn && !glue.test(text.slice(Math.max(0, start - 8), start));
}

function keywordRule(kind: string, mode: RuleMode, literals: string, keyword: Keyword): SecretRule {
  const find = (text: string, at: number): Range | null => {
    const word = matchAt(keyword.pattern, text, at)?.[0];
    if (word === undefined || isPartOfWord(text, at, at + word.length, keyword.glue)) return null;
    // Test programs report so.
    if (word === 'PASS' && text[at + 4] === ':') return null;
    const assigned = readAssigned(text, at, at + word.length);
    return assigned !== null && !ABOUT.test(assigned.suffix) && keyword.accepts(assigned) ? assigned.value.range : null;
  };
  return { kind, mode, literals: literals.split(' '), anyCase: true, glued: true, context: true, find };
}

const KEYS =
  /(?:secret(?: (?:access )?key)?|token|api[ _-]?key|access[ _-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key)/iy;
const GUESSES = /(?:key|auth|credential|creds|secret|token|apikey)/iy;

/** Secrets that only their name gives away. */
export const ASSIGNMENT_RULES: readonly SecretRule[] = [
  keywordRule(
    'password',
    'redact',
    'pass paswd pswd kennwort mot contrase senha palavra パスワード 密码 密碼 口令',
    PASSWORD,
  ),
  keywordRule('password', 'redact', 'pass pwd pw mdp psk', SHORT),
  keywordRule('secret-assignment', 'redact', 'secret token api acc private signing encryption master auth', {
    pattern: KEYS,
    accepts: (assigned) => acceptsKey(assigned),
  }),
  keywordRule('generic-api-key', 'flag', 'key auth cred secret token apikey', {
    pattern: GUESSES,
    glue: /(?!)/,
    accepts: ({ form, value }) => form !== 'beside' && looksLikeKey(value.text, 10),
  }),
];
