import { isUnreadable } from './key-body.ts';
import { isStandIn } from './url-rules.ts';

/** Shapes that no screened text may hold. Written apart from the rules, as a second net: what is caught here was missed there, so nothing around it is believed. */
const HIGH_RISK: readonly RegExp[] = [
  /\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{16,}/,
  /\bsk-(?:or-v1|ant)-[\w-]{30,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAccountKey=[A-Za-z0-9+/]{40,}/,
];
const KEY_HEAD = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?(?:-----)?|PuTTY-User-Key-File-\d/g;
const KEY_BODY = 600;
/** Less than the rules ask for: behind the head of a key, what reads half like words is no text. */
const DOUBTFUL = 0.25;
const DATABASE_URL =
  /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[^\s:/@]{1,64}:([^\s@/]{3,128})@/gi;
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** Nothing above is without one of these. */
const ANY_OF_THEM = /-----BEGIN|PuTTY-User-Key|eyJ|sk-|AKIA|ASIA|AccountKey|:\/\//;

/** True of a text that must be left out as a whole, although it was screened. */
export function isHighRisk(text: string): boolean {
  const seen = text.replace(UNSEEN, '');
  if (!ANY_OF_THEM.test(seen)) return false;
  if (HIGH_RISK.some((shape) => shape.test(seen))) return true;
  if (hasKey(seen)) return true;
  return [...seen.matchAll(DATABASE_URL)].some(([, password]) => !isStandIn(password!));
}

/** The head of a key with something behind it that nobody can read. */
function hasKey(text: string): boolean {
  return [...text.matchAll(KEY_HEAD)].some(({ 0: head, index }) => {
    const [body = ''] = text.slice(index + head.length, index + head.length + KEY_BODY).split('-----', 1);
    return isUnreadable(body, DOUBTFUL);
  });
}
