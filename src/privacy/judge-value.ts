import { measureTurns } from './key-body.ts';
import { measureEntropy } from './secret-rule.ts';

/** Anywhere in a value, these say that it only stands for one. */
const FILLER =
  /x{4}|\*{3}|\.{3}|…|•|<[^>]*>|\$\{|\{\{|\[redacted|redacted|example|placeholder|change[-_]?(?:me|this|it)|dummy|your[-_ ]|my[-_]|fill[-_]?in|insert[-_]|todo|^[a-z]*0?123456789[0a-f]*$|0123456789abcdef|abcdef\.0?123456789|^abcdefgh|foobar|\{\w+\}|#\{|\.\*|aws4_request|yyyy|\^(?:USER|PASS)\^|^(?:your|dein|ihr|votre|tu|su|sua|seu)[-_ ]?(?:pass|mot|contra|senha|secret|token|key)/i;
/** The samples of RFC 6749, 6750 and 7617, which stand in every text on OAuth and on HTTP. */
const PUBLISHED =
  /2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|SplxlOBeZQQYbYS6WxSbIA|czZCaGRSa3F0MzpnWDFmQmF0M2JW|gX1fBat3bV|mF_9\.B5f-4\.1JqM|h480djs93hd8|45ghiukldjahdnhzdauz|YWxhZGRpbjpvcGVuc2VzYW1l|QWxhZGRpbjpvcGVuIHNlc2FtZQ|aGVsbG86d29ybGQ|dXNlcm5hbWU6cGFzc3dvcmQ/;
const VARIABLE =
  /^(?:\$[\w.:[\]>-]*$|\$\(|%\w+%$|%[({\w]\w*[)}]?[sd]?$|%[sdnvqx](?:%|\W)|\w*=?['"]?%[sd]['"]?(?:[/:@]%[sd])*$|[@:][a-z_]+(?:[A-Z][a-z]+)*\d?[,)]?$|#\{|\{\w*\}$|[a-z]+(?:_[a-z]+)*=$|&#\w+;?|&\w+;)/;
const SAME = /^(.)\1*$/u;
/** As a whole, or as the beginning of a path to a value, these are words of code or of a form. */
const WORD =
  /^(?:null|nil|none|undefined|true|false|string|str|number|boolean|bool|integer|int|bytes|char|object|required|optional|hidden|default|empty|unset|enabled|disabled|password|passwd|pass|pwd|passw|secret|token|key|self|this|process|config|settings|options|opts|params|props|args|argv|env|os|req|request|res|response|ctx|data|user|input|form|event|await|new|function|return|lambda|let|var|const|import|require|import\.meta)(?:$|[.([?|]|->|::|_|!$|,$)/i;
/** user.password, settings::TOKEN, some_variable, getToken: names, with or without a path to them. */
const NAME = /^[&*@!$]{0,2}[A-Za-z_$][A-Za-z_$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*$/;
/** A call, an element, an expression in brackets. */
const EXPRESSION =
  /^[!&*@]?[A-Za-z_$][\w$.:>-]*[([{](?:[^)\]}]*$|.*[)\]}]$)|^[([{]|[)\]}]\.|=>|&&|\|\||[\w)\]][=!]=[\w"'($]|^\w{1,3}\+\+?$|[({]$|^!{1,2}\w?$|^!!|\]\(|^:|^(?:[a-z_.-]{3,}|[A-Z][A-Z0-9_]{2,})=[\w.-]+$|^[\w./-]+#\d+$|:\d+:in$|^[a-z_]+(?:\|[a-z_]+)+$/;
/** ed25519.Ed25519PrivateKey */
const PATH_OF_NAMES = /^(?:[a-z]+\d{0,5}|[A-Z][a-z]+\w*)(?:\.(?:[a-z]+\d{0,5}|[A-Z][a-z]+\w*))+$/;
const LOCATION = /^(?:[a-z][a-z+.-]*:\/\/|\.{0,2}\/|~\/|[A-Za-z]:\\)/i;
const FILE =
  /^[\w.+-]+(?:\/[\w.+-]+)*\.[a-z]{1,5}$|^(?:[\w.+-]+\/)*[a-z]{4,}[\w.+-]*\/[\w.+/-]+$|^[\w.+-]+\/(?:[\w.+-]+\/)*[a-z]{4,}[\w.+-]*$/;
const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const MAIL = /^[\w.+-]+@(?:[\w-]+\.)+[A-Za-z]{2,}$|^[a-z]+@$/;
/** PCRE2_DOTALL, addInt32Prefix: names that have a digit. */
const CONSTANT =
  /^_?(?:[a-z]+_)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^(?=[a-z]{0,12}[aeiou])[a-z]+(?:[A-Z][a-z]+)*\d{1,3}(?:[A-Z][a-z]+)+$/;
/** `password1`, `MD5Password`: the name of the thing, not the thing. */
const SPEAKING = /^(?:\w+#)?[A-Za-z_]*\d{0,2}[A-Za-z_]*(?:passw(?:or)?d[A-Za-z_]*|secret|token)[-_]?\d{0,2}$/i;
/** A colour, or the number of an issue. */
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}|\d+)$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const VERSION = /^[v^~]?\d+(?:\.\d+)+/;
const TIME = /^\d{4}-\d\d-\d\d|^\d\d:\d\d/;
/** Words of the trade that have digits, and amounts. */
const TECHNICAL =
  /^[*&]?(?:argon2\w{0,2}|(?:u?int|float)\d{1,3}\w{0,8}|pbkdf2\w{0,8}|(?:debug|latin|cp|c\.utf|ed|ps|rs|hs|rsa|dsa|ecdsa|curve|secp|md|sha|rc|utf|ucs|base|aes|des|3des|pbkdf|argon|hmac|crc|ripemd|blake|rot|iso|ascii|rfc|cve|ipv|http|tls|ssl|oauth|x509|fido|ctap|tpm|python|php|perl|ruby|java|qt|gtk|x86|arm|amd|ppc|mips|riscv|loong|aarch|sparc|s390|win|[uif]|str|s?crypt|bcrypt|ntlm|krb|smb|nfs|mp|h|k8s|i18n|l10n|a11y|log4|es|vt|fips|pkcs|chap|mschap|sasl|scram|digest|basic|type|level|version|step|part|phase|stage|pass|page|line|col|row|item|field|arg|param|var|val|value|key|user|test|foo|bar|baz|tmp|temp|node|host|server|client|step|option|opt|file|data|buf|str|num|idx|id|n|x|y|z|v|r|t|q|w|e)[-_/.]?v?\d{1,4}(?:[-_/]\w{0,12})*)$/i;
const AMOUNT =
  /^[<>≥≤=~±+-]?\d+(?:[.,]\d+)?(?:[-–]\d+)?[-+%°]?(?:[a-z]{1,3}|char\w*|digit\w*|bits?|bytes?|letter\w*|word\w*|day\w*|minute\w*|second\w*|hour\w*|time\w*|step\w*|factor|th|st|nd|rd|px|em|rem)?$/i;

/** A key's beginning tells enough; hostile text can make a long value begin at every few characters. */
const JUDGED = 64;
const LONGEST_PASSWORD = 72;
const SIGNS = /[!@#$%^&*+=?~|]/;

/** Stands for a value, but is none. */
export function isFiller(value: string): boolean {
  return SAME.test(value) || VARIABLE.test(value) || value[0] === '<' || FILLER.test(value) || PUBLISHED.test(value);
}

/** A filler, a word of code, or the place where the value is. */
export function isPlaceholder(value: string): boolean {
  return isFiller(value) || WORD.test(value) || LOCATION.test(value);
}

/** Neither a word nor a name: letters and digits, or signs that no word has, or case that goes up and down. */
export function looksMade(value: string): boolean {
  if (value.length < 5 || value.length > LONGEST_PASSWORD || /\s/.test(value) || isPlaceholder(value)) return false;
  if (NAME.test(value) ? !hasRandomCase(value) : EXPRESSION.test(value)) return false;
  if (
    HEXADECIMAL.test(value) ||
    MAIL.test(value) ||
    SPEAKING.test(value) ||
    COLOUR.test(value) ||
    CONSTANT.test(value) ||
    TIME.test(value) ||
    VERSION.test(value) ||
    TECHNICAL.test(value) ||
    FILE.test(value)
  )
    return false;
  const hasLetter = /\p{L}/u.test(value);
  const core = value.replace(/[?!*_]+$/, '');
  if (/\d/.test(value))
    return hasLetter
      ? !AMOUNT.test(value)
      : /^\d{6,12}$/.test(value) || (SIGNS.test(value) && !/^[\d.,:*/+%=-]+$/.test(value));
  return (
    hasLetter &&
    (SIGNS.test(core.slice(1)) ||
      /[a-z][?!]{2}$|[A-Z]\w*[a-z]!$/.test(value.slice(3)) ||
      hasRandomCase(value) ||
      isWordChain(value))
  );
}

/** In the place of a value: the name of a variable or of a slot between its signs. */
const SLOT =
  /<(?:[a-z][a-z_ -]{2,}|[A-Z][A-Z_ -]{2,})>|\$\{[A-Za-z_]{4,}|\$\{\w{2,}\}|\{\{ ?[A-Za-z.$][^{}]*\}\}|\{(?:[a-z_]{3,}|[A-Z_]{3,}|[A-Z]?[a-z]+(?:[A-Z][a-z]+)+)\}|%\([a-z]\w+\)|x{4}|\*{3}|\.{3}|…|\[redacted/;
/** A pattern and no value. */
const PATTERN = /\(\?[=:!<][^)]*\)|\[\^?(?:a-z|A-Z|0-9)|\\[dwsb][+*{]|\{\d+,\d*\}[$/)]/;
const PATH = /^[./~][\w./~-]+$|^[A-Za-z]:\\/;
/** Six letters that can be said, or seven capitals. */
const SPELT = /(?=[a-z]{6})[a-z]{0,4}[aeiouy][a-z]{0,4}[aeiouy]|[A-Z]{7}/;

export const LEAST_GENERATED = 8;

/** What a generator makes of all that can be typed: signs, digits, capitals and small letters take turns, and no word is among them. */
export function isGenerated(value: string): boolean {
  const { length } = value;
  if (length < LEAST_GENERATED || length > 128 || /\s/.test(value)) return false;
  const kinds = Number(/[a-z]/.test(value)) + Number(/[A-Z]/.test(value)) + Number(/\d/.test(value));
  // Names and versions have these signs, too.
  if (
    !/[^A-Za-z0-9_.-]/.test(value) &&
    (kinds < 3 || !/[_.-]/.test(value) || /[A-Za-z][a-z]{2}|^[A-Z0-9._-]*$/.test(value))
  )
    return false;
  if (kinds < 2 || measureTurns(value) < (length < 12 ? 0.38 : 0.42)) return false;
  if (SPELT.test(value) && !(length >= 16 && measureTurns(value) >= 0.6)) return false;
  return !(
    (VARIABLE.test(value) && !isScrambled(value)) ||
    SLOT.test(value) ||
    PATTERN.test(value) ||
    PATH.test(value) ||
    MAIL.test(value) ||
    (VERSION.test(value) && (length < 16 || measureTurns(value) < 0.6)) ||
    TIME.test(value) ||
    PUBLISHED.test(value)
  );
}

/** `$Q6bxyE8Hv`: behind the sign of a variable or of a format, letters and digits that no name has. */
function isScrambled(value: string): boolean {
  const name = value.replace(/^[$%@:&]+/, '');
  return (
    /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/.test(name) &&
    name.length >= 7 &&
    !SPELT.test(name) &&
    measureTurns(name) >= 0.42 &&
    !/^[{(]|%[({]?\w+[)}]?s/.test(name)
  );
}

/** Names, `name(…)`, `list[…].name`, and what ends a statement. */
const STATEMENT =
  /^[\w$.:!&*-]+(?:(?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\]|\{[^{}]*\})[\w$.]*)*[,;]?$|[)}\]];$|=>|^[\w$.]+;$/;

/** It may be code, where no quotes say that it is a value. */
export function isExpression(value: string): boolean {
  return STATEMENT.test(value);
}

const SPELT_RUNS = /[A-Za-z][a-z]{2,}/g;
/** From the first on where a kind of sign is missing, from the second on in any case. */
const SPELT_SHARES = [0.4, 0.5] as const;
/** A name before a bracket, and a string of Python with a letter before it. */
const OPENED = /^[\w$.]*[A-Za-z]{3,}[([<]|^[bruf]{1,2}["']/i;

const ALL_KINDS = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z\d])/;

/** Words with signs between them, as code has: `Column(String(64)`, `Map<any`. */
export function isSpelt(value: string): boolean {
  let spelt = 0;
  for (const [run] of value.matchAll(SPELT_RUNS)) spelt += run.length;
  return spelt >= value.length * SPELT_SHARES[ALL_KINDS.test(value) ? 1 : 0] || OPENED.test(value);
}

/** What no word of the trade has: digits between capitals and small letters, or digits and signs. */
export function looksStrong(value: string): boolean {
  if (!looksMade(value)) return false;
  if (!/\d/.test(value)) return /[a-z][!@#$%^&*?~]/i.test(value) || hasRandomCase(value) || isWordChain(value);
  return (
    /[!@#$%^&*?~]/.test(value) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 8) ||
    /[a-z]{3,}\d{2,}$/.test(value)
  );
}

/** `kXpQwLmz`: capitals and small letters in an order that no name of several words has. */
function hasRandomCase(whole: string): boolean {
  const value = whole.replace(/^[^A-Za-z]+|[^A-Za-z]+$|[_-]/g, '');
  if (value.length < 8 || !/^[A-Za-z]+$/.test(value)) return false;
  const turns = value.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
  const vowels = (value.match(/[aeiouy]/gi)?.length ?? 0) / value.length;
  return turns > 0 && measureEntropy(value) >= 2.5 && (vowels < 0.2 || (turns > 1 && !CAMEL.test(value)));
}

const CAMEL =
  /^[a-z]?(?:[A-Z]?[a-z]{2,}|(?:To|Of|In|On|By|Is|At|Or|If|As|Id|My|Do|Go|No|Up|We|An)(?![a-z])|[A-Z]{2,6}(?=[A-Z][a-z]|$)|[A-Z](?=[A-Z][a-z]{2}))+$/;

/** `correct-horse-battery-staple`: four words and more, none of them a word of grammar. */
function isWordChain(value: string): boolean {
  return /^[A-Za-z]{3,}(?:[-.][A-Za-z]{3,}){3,7}$/.test(value) && !GRAMMAR.test(value.replace(/[-.]/g, ' '));
}

/** Three words and more, as people choose them at random: lower case, none of them a word of grammar or of the matter. */
export function isPhrase(value: string): boolean {
  return /^[a-z]{3,12}(?:[ -][a-z]{3,12}){2,11}$/.test(value) && !GRAMMAR.test(value);
}

/** It has words of grammar, as a sentence has and words drawn at random have not. */
export function saysSomething(words: string): boolean {
  return GRAMMAR.test(words);
}

const GRAMMAR =
  /\b(?:the|and|for|not|does|any|are|was|with|your|you|this|that|from|must|has|have|will|can|may|should|use|used|using|set|get|see|all|any|when|then|than|which|who|what|how|where|our|its|but|only|same|name|user|users|host|type|case|based|pass\w*|enter|please|new|old|und|der|die|das|mit|ist|ein|eine|les|des|une|pour|dans|est|votre|los|las|para|una|con|por|que|com|uma|sua|key\w*|secret\w*|token\w*|string|value|field|text|file|auth\w*|log\w*|account|email|confirm\w*|required?|optional|default|invalid|valid|wrong|error|failed|length|least|characters?)\b/;

const COMMON =
  /^(?:pass\w*|passw\w*|pwd|secrets?|tokens?|test\w*|foo|bar|baz|qux|user\w*|name|username|login|admin|guest|root|string|text|value|values|field|input|type|prompt|label|hash|hashed|plain|plaintext|clear|crypt\w*|encrypted|encoded|plain-text|file|path|stdin|ask|never|always|auto|yes|no|on|off|true|false|none|null|nil|any|all|some|this|that|here|there|missing|invalid|valid|wrong|correct|incorrect|required|optional|mandatory|needed|empty|blank|unknown|unset|default|hidden|visible|show|hide|toggle|reset|forgot|forgotten|change|changed|new|old|current|confirm|weak|strong|medium|expired|disabled|enabled|protected|private|public|internal|external|basic|bearer|digest|oauth|auto|manual|random|generate\w*|credential\w*|account|email|phone|security|form|off-?topic|autocomplete|new-password|current-password|one-time-code|wachtwoord|heslo|adgangskode|passord|salasana|parola|sandi|lozinka|kodeord|losenord|jelszo|parool|slaptazodis|geslo|clave|senha|contrasena|mdp|kennwort|string\W*|char\w*|bytes?|str|int|bool\w*|number|object|function|undefined|void|never|https?|ssh|ssl|tls|ldap|keyring|keychain|vault|env|environment|config\w*|params?|args?|options?|data|body|query|header|cookie|session|request|response|self|req|res|ctx|pass-?through|nopass\w*|nopasswd|allow|deny|accept|reject|permit|forbid|ignore|skip|fail\w*|error|success|ok)$/i;

/** A plain word that may be a password where nothing else is expected. */
export function isPlainWord(value: string): boolean {
  return (
    /^[a-z]{5,24}$/.test(value) &&
    !/pass(?:word|wd)|secret/.test(value) &&
    !COMMON.test(value) &&
    !isFiller(value) &&
    !WORD.test(value)
  );
}

/** Letters that nobody can say, as a generator draws them. */
export function isJumble(value: string): boolean {
  if (!/^[a-z]{8,24}$/.test(value) || COMMON.test(value) || isPlaceholder(value)) return false;
  const vowels = (value.match(/[aeiouy]/g)?.length ?? 0) / value.length;
  return (
    measureEntropy(value) >= 2.5 &&
    (vowels < 0.2 || /[b-df-hj-np-tv-xz]{5}/.test(value) || (vowels < 0.3 && /[b-df-hj-np-tv-xz]{4}/.test(value)))
  );
}

/** In a sentence many words stand between quotes that only describe: "locked", "correctly". */
export function isQuotedWord(value: string): boolean {
  return isPlainWord(value) && !/(?:ed|ly|able|ible|ing|ive|ful|less|ous|al|ic|ion|ment|ent|ant)$/.test(value);
}

/** `hunter2` and `pass1` have the shape of a name, too. */
export function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value);
}

/** One of a thing, or, behind a name that says so, a key. */
export function isUuid(value: string): boolean {
  return UUID.test(value) && measureEntropy(value) >= 2.8;
}

/** What stands after `api_key=` and is likely the key: long, mixed, and without a shape that other things have. */
export function looksLikeKey(whole: string, leastLength: number): boolean {
  const value = whole.slice(0, JUDGED);
  if (value.length < leastLength || !/^[\w+/=.~-]+$/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (!/\d/.test(value) && !(value.length >= 20 && hasRandomCase(value))) return false;
  if (measureEntropy(value) < (/^[0-9a-f]{32,}$/i.test(value) ? 3 : 3.4)) return false;
  return !(
    (NAME.test(value) && !hasRandomCase(value)) ||
    PATH_OF_NAMES.test(value) ||
    UUID.test(value) ||
    VERSION.test(value) ||
    FILE.test(value) ||
    TIME.test(value) ||
    isPlaceholder(value)
  );
}
