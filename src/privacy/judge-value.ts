import { measureEntropy } from './secret-rule.ts';

/** Anywhere in a value, these say that it only stands for one. */
const FILLER =
  /x{4}|\*{3}|\.{3}|…|<[^>]*>|\$\{|\{\{|\[redacted|redacted|example|placeholder|changeme|change[-_]me|dummy|your[-_ ]|my[-_]|fill[-_]?in|insert|todo|1234567890|abcdefgh|foobar/i;
/** As a whole, or as the beginning, these are words of code or of a form. */
const WORD =
  /^(?:null|nil|none|undefined|true|false|string|number|boolean|integer|bytes|required|optional|hidden|default|empty|unset|enabled|disabled|password|passwd|secret|token|key|self|this|process|config|settings|options|params|props|args|env|os|req|request|res|ctx|data|user|input|form|event|await|new|function|return)(?:\b|_|$)/i;
/** user.password, settings::TOKEN, some_variable, getToken: names, with or without a path to them. */
const NAME = /^[&*@!$]?[A-Za-z_$][A-Za-z_$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*$/;
const LOCATION = /^(?:[a-z][a-z+.-]*:\/\/|\.{0,2}\/|~\/|[A-Za-z]:\\)/i;
const FILE = /^[\w.-]+(?:\/[\w.-]+)*\.[a-z]{1,5}$|^[\w.-]+(?:\/[\w.-]+){2,}$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const VERSION = /^[v^~]?\d+(?:\.\d+)+/;
const TIME = /^\d{4}-\d\d-\d\d|^\d\d:\d\d/;

/** A key's beginning tells enough; hostile text can make a long value begin at every few characters. */
const JUDGED = 64;
const LONGEST_PASSWORD = 72;

/** Stands for a value, but is none. */
export function isFiller(value: string): boolean {
  return /^(.)\1*$|^[$<]|^%\w+%$/u.test(value) || FILLER.test(value);
}

/** A filler, a word of code, or the place where the value is. */
export function isPlaceholder(value: string): boolean {
  return isFiller(value) || WORD.test(value) || LOCATION.test(value);
}

/** What stands after `password=` and is likely the password: short ones count, words do not. */
export function looksLikePassword(value: string): boolean {
  if (
    value.length < 6 ||
    value.length > LONGEST_PASSWORD ||
    isPlaceholder(value) ||
    NAME.test(value) ||
    TIME.test(value)
  )
    return false;
  if (/passw|secret|token/i.test(value) && /^\w+$/.test(value)) return false;
  const hasLetter = /[A-Za-z]/.test(value);
  return /\d/.test(value) ? hasLetter || /^\d{6,12}$/.test(value) : hasLetter && /[!@#$%^*+=?~]/.test(value);
}

/** What stands after `api_key=` and is likely the key: long, mixed, and without a shape that other things have. */
export function looksLikeKey(whole: string, leastLength: number): boolean {
  const value = whole.slice(0, JUDGED);
  if (value.length < leastLength || !/^[\w+/=.~:-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value))
    return false;
  if (measureEntropy(value) < (/^[0-9a-f]{32,}$/i.test(value) ? 3 : 3.4)) return false;
  return !(
    NAME.test(value) ||
    UUID.test(value) ||
    VERSION.test(value) ||
    FILE.test(value) ||
    TIME.test(value) ||
    isPlaceholder(value)
  );
}
