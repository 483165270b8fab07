import { saysSomething } from './judge-value.ts';
import { compileOnce, matchAt, type Range, type SecretRule } from './secret-rule.ts';

function contextRule(kind: string, literals: string, anyCase: boolean, find: SecretRule['find']): SecretRule {
  return { kind, mode: 'redact', literals: literals.split(','), anyCase, glued: true, context: true, find };
}

/** The last group of a pattern that ends with it. */
function rangeOfLast(match: RegExpExecArray | null, at: number): Range | null {
  const value = match?.at(-1);
  if (match === null || value === undefined) return null;
  const head = match[0].slice(0, match[0].length - value.length);
  // After a quote comes a quote, or else it is a number of JSON, which must stay one.
  if (/["'`]/.test(head) && !/["'`]$/.test(head)) return null;
  return [at + head.length, at + match[0].length];
}

const OF = "(?:[ \\t]+(?:for|of|on|to|der|des|für|de|du|del|do|da)(?:[ \\t]+[\\p{L}\\d'’-]{1,24}){1,4})?";
const LINK =
  '(?:[ \\t]*[:=：＝][ \\t]*|[ \\t]+(?:is|was|ist|war|lautet|est|es|é|era)[ \\t]+(?:now[ \\t]+|still[ \\t]+)?|[ \\t]*[はが是为為][ \\t]*|[ \\t]+)';
/** In capitals, or with a word that tells it from the pin of a plug. */
const pin = compileOnce(
  `(?:PIN|[Pp]in[ _-]?[Cc]ode|[Cc]ode PIN|(?:sim|SIM|card|bank|door|app|device|user)[ _-]?(?:pin|PIN)|暗証番号|PIN码)(?:[ _-]?(?:[Cc]ode|number|nummer|Nummer))?["'\`]?${OF}${LINK}["'\`「“]?(\\d{4,8})(?![\\d.,]?\\d|[\\w-])`,
  'uy',
);

const CODE = '(?:[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,7}|\\d{4} \\d{4}|\\d{6,10}|[a-z0-9]{8,12})';
const backup = compileOnce(
  `(?:backup|recovery|rescue|emergency|scratch|wiederherstellungs|ersatz)[ _-]?codes?(?:["'\`]|${OF})?(?:[ \\t]*[:=][ \\t]*|[ \\t]+(?:is|are|ist|lautet|sind)[ \\t]+|[ \\t]+)`,
  'iuy',
);
const codes = compileOnce(`[\\s,;"'\`\\[*•-]{0,12}(${CODE})(?![\\w-])`, 'y');
const MOST_CODES = 24;

/** One after the other, as lists of them are written. */
function findCodes(text: string, at: number): Range[] | null {
  const head = matchAt(backup(), text, at);
  if (head === null) return null;
  const found: Range[] = [];
  let from = at + head[0].length;
  while (found.length < MOST_CODES) {
    const range = rangeOfLast(matchAt(codes(), text, from), from);
    if (range === null || !/\d/.test(text.slice(...range))) break;
    found.push(range);
    from = range[1];
  }
  return found.length === 0 ? null : found;
}

const SEED =
  /(?:totp|otp|2fa|mfa|two[_-]?factor|authenticator)[ _-]?(?:secret|seed|key)["'`]?(?:[ \t]*[:=][ \t]*|[ \t]+is[ \t]+)["'`]?([A-Z2-7]{16,64}={0,6}|[a-z2-7]{16,64}|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15})(?![\w])/iy;
const OTPAUTH = /otpauth:\/\/[^\s"'`<>]{1,200}?[?&]secret=([A-Za-z2-7%=]{8,128})/y;
const PHRASE =
  /(?:seed|recovery|mnemonic|secret recovery|wallet|backup)[ _-]?(?:phrase|words|mnemonic)?["'`]?(?:[ \t]*[:=][ \t]*|[ \t]+is[ \t]+)["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/iy;
const AUTH = /_?auth["'`]?[ \t]{0,2}[:=][ \t]{0,2}["'`]?([A-Za-z0-9+/]{8,}={0,2})(?![\w+/=-])/y;

/** Short secrets that are no passwords: PINs, one-time codes and their seeds, and names with passwords in Base64. */
export const CODE_RULES: readonly SecretRule[] = [
  contextRule('pin', 'pin,code pin,sim,card,bank,door,app,device,user,暗証番号', true, (text, at) =>
    /[\p{L}\d]/u.test(text[at - 1] ?? '') ? null : rangeOfLast(matchAt(pin(), text, at), at),
  ),
  contextRule('recovery-code', 'backup,recovery,rescue,emergency,scratch,wiederherstellungs,ersatz', true, findCodes),
  contextRule('otp-seed', 'totp,otp,2fa,mfa,two,authenticator', true, (text, at) =>
    rangeOfLast(matchAt(SEED, text, at) ?? matchAt(OTPAUTH, text, at), at),
  ),
  contextRule('seed-phrase', 'seed,recovery,mnemonic,secret recovery,wallet,backup', true, (text, at) => {
    const range = rangeOfLast(matchAt(PHRASE, text, at), at);
    return range === null || saysSomething(text.slice(...range)) ? null : range;
  }),
  contextRule('basic-auth', '_auth,auth', false, (text, at) => {
    const range = rangeOfLast(matchAt(AUTH, text, at), at);
    if (range === null || /\w/.test(text[at - 1] ?? '')) return null;
    const decoded = Buffer.from(text.slice(...range), 'base64').toString('latin1');
    // npm's _auth is nothing else; elsewhere it must say a name and a password.
    return (text[at] === '_' ? /^[\x20-\x7e]{4,}$/ : /^[\w.@+-]{1,64}:[\x21-\x7e]{3,}$/).test(decoded) ? range : null;
  }),
];
