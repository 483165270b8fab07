import { isGenerated, isPlaceholder, looksLikeKey } from './judge-value.ts';
import { matchAt, measureEntropy, type Range, type SecretRule } from './secret-rule.ts';

const DATABASES =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|cockroachdb|cassandra|neo4j|couchdb|oracle|snowflake|nats|influxdb|libsql)(?:\+\w+)?$/i;
const USER_INFO = /:\/\/([^\s:@/?#"'`<>\\]{0,128}):([^\s@/?#"'`<>\\]{1,256})@[\w.[%${-]/y;
/** An apostrophe need not be escaped; where something else is, it is not that of a program's string. */
const ESCAPED_USER_INFO =
  /:\/\/([^\s:@/?#"'`<>\\]{0,128}):((?=[^@\s]{0,256}%[\dA-F]{2})[^\s@/?#"`<>\\+]{1,256})@[\w.[%${-]/y;
const LONG_PASSWORD = /:\/\/([^\s:@/?#"'`<>\\]{0,128}):([^\s"'`<>\\]{1,128}?)@[\w.-]{1,253}(?::\d{1,5})?\//y;
const HEADER =
  /authorization(?:\\{0,3}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,3}["'])?(?:basic|bearer|token|apikey|digest|key)?[ \t]{0,3}/iy;
const BEARER = /bearer[ \t]{1,3}/iy;
const CREDENTIAL = /[\w.~+/=-]{8,1024}/y;
/** The beginning of a credential tells enough. */
const JUDGED = 64;

/** `scheme://user:password@host`: the password alone is the secret. */
function userInfoRule(kind: 'database-url' | 'url-password', isDatabase: boolean): SecretRule {
  const find: SecretRule['find'] = (text, at) => {
    if (DATABASES.test(text.slice(Math.max(0, at - 24), at)) !== isDatabase) return null;
    // A password with an unescaped slash or question mark is wrong, and common; it is looked for in database URLs alone.
    const match =
      matchAt(USER_INFO, text, at) ??
      matchAt(ESCAPED_USER_INFO, text, at) ??
      (isDatabase ? matchAt(LONG_PASSWORD, text, at) : null);
    // A marker is no user: its second half would be taken for a password.
    if (match === null || match[1]!.startsWith('[redacted') || (isStandIn(match[2]!) && !isGenerated(match[2]!)))
      return null;
    const start = at + '://'.length + match[1]!.length + 1;
    return [start, start + match[2]!.length];
  };
  return { kind, mode: 'redact', literals: ['://'], anyCase: false, glued: true, context: true, find };
}

/** What a manual writes where a password would stand. */
export function isStandIn(password: string): boolean {
  return /^(?:\$|%\w*%$|\{|\[|<|\*+$|x+$|\.+$|pass(?:word|wd)?$|pwd$|secret$|token$|port$)/i.test(password);
}

function headerRule(kind: string, literal: string, head: RegExp): SecretRule {
  const find: SecretRule['find'] = (text, at) => {
    const opening = matchAt(head, text, at);
    if (opening === null) return null;
    const start = at + opening[0].length;
    const value = matchAt(CREDENTIAL, text, start)?.[0].replace(/[.]+$/, '');
    // A bare number is JSON's, and must stay one.
    if (
      value === undefined ||
      /^[\d.eE+-]+$/.test(value) ||
      (!/\d|=$/.test(value) && !looksLikeKey(value, 20)) ||
      isPlaceholder(value.slice(0, JUDGED)) ||
      text[start + value.length] === '('
    )
      return null;
    return value.length >= 8 && measureEntropy(value.slice(0, JUDGED)) >= 2.5 ? [start, start + value.length] : null;
  };
  return { kind, mode: 'redact', literals: [literal], anyCase: true, glued: false, context: true, find };
}

/** `user:password@tcp(host:3306)/db`, as drivers for Go write it. */
const driverRule: SecretRule = {
  kind: 'database-url',
  mode: 'redact',
  literals: ['@tcp(', '@unix(', '@(', '@protocol('],
  anyCase: false,
  glued: true,
  context: true,
  find(text, at) {
    const before = text.slice(Math.max(0, at - 200), at);
    const password = /(?:^|[\s"'`=])[\w.-]{1,64}:([^\s"'`\\/]{3,128}|[^\s"'`\\]{3,128})$/.exec(before)?.[1];
    return password === undefined || isStandIn(password) ? null : [at - password.length, at];
  },
};

const COOKIE_HEAD = /(?:(?:set-)?cookie["']?:|(?:--cookie|-b)[ =])[ \t]{0,2}(?:\\{0,3}["'])?/iy;
const LONGEST_COMMAND = 300;
const COOKIE = /([\w.%-]{1,64})=([^\s;,"'\\]{1,512})(?:;[ \t]?)?/y;
const MOST_COOKIES = 20;

/** Cookies that keep a person signed in, by their names. */
const cookieRule: SecretRule = {
  kind: 'session-cookie',
  mode: 'redact',
  literals: ['cookie:', 'set-cookie:', 'cookie":', "cookie':", '-b ', '--cookie ', '--cookie='],
  anyCase: true,
  glued: true,
  context: true,
  find(text, at) {
    if (text[at] === '-' && !/\b(?:curl|wget|https?)\b[^\n]*$/.test(text.slice(Math.max(0, at - LONGEST_COMMAND), at)))
      return null;
    const found: Range[] = [];
    let from = at + (matchAt(COOKIE_HEAD, text, at)?.[0].length ?? 0);
    for (let i = 0; i < MOST_COOKIES; i++) {
      const cookie = matchAt(COOKIE, text, from);
      if (cookie === null) break;
      const [whole, name, value] = cookie as unknown as [string, string, string];
      const start = from + name.length + 1;
      const isSession = /sess|sid|auth|token|jwt|remember|login/i.test(name);
      if (isSession && looksLikeKey(value.replace(/%[0-9A-F]{2}/gi, ''), 16)) found.push([start, start + value.length]);
      from += whole.length;
    }
    return found.length === 0 ? null : found;
  },
};

/** Secrets that the place where they stand gives away. */
export const URL_RULES: readonly SecretRule[] = [
  userInfoRule('database-url', true),
  userInfoRule('url-password', false),
  headerRule('auth-header', 'authorization', HEADER),
  headerRule('auth-header', 'bearer', BEARER),
  driverRule,
  cookieRule,
];
