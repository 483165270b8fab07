import { matchAt, type SecretRule } from './secret-rule.ts';

const PART = /[\w-]+/y;
/** Bounded, because hostile text can make a header begin at every few characters. */
const FIRST_PART = /[\w-]{1,4096}/y;
/** Longer headers hold certificates; their beginning tells enough. */
const LONGEST_HEADER = 1024;
/** The members that RFC 7515 and RFC 7516 ask for, or that others write in their place. */
const HEADER = /"(?:alg|enc|typ|kid)"\s*:\s*"/;

/** A header that says how the rest is signed or encrypted, a point, and a payload: signed, unsigned with or without the last point, or encrypted in five parts. */
export const JWT_RULE: SecretRule = {
  kind: 'jwt',
  mode: 'redact',
  // {" and { " and, in several lines, {⏎
  literals: ['eyJ', 'eyAi', 'ewog', 'ew0K'],
  anyCase: false,
  glued: true,
  context: false,
  find(text, at) {
    if (!/^\{\s*"\w{1,16}(?:"\s*:|$)/.test(Buffer.from(text.slice(at, at + 16), 'base64').toString('latin1')))
      return null;
    const first = at + (matchAt(FIRST_PART, text, at)?.[0].length ?? 0);
    if (text[first] !== '.' || !isHeader(text.slice(at, Math.min(first, at + LONGEST_HEADER)), first - at)) return null;
    const second = endOfPart(text, first + 1);
    const third = text[second] === '.' ? endOfPart(text, second + 1) : second;
    if (text[second] === '.' && third > second + 1 && text[third] === '.') {
      const fourth = endOfPart(text, third + 1);
      const fifth = text[fourth] === '.' ? endOfPart(text, fourth + 1) : 0;
      if (fourth > third + 1 && fifth > fourth + 1) return [at, fifth];
    }
    if (second === first + 1) return null;
    if (third > second + 1) return [at, third];
    // Without a signature the payload must show that it is one.
    return isObject(text.slice(first + 1, second)) ? [at, third] : null;
  },
};

function endOfPart(text: string, start: number): number {
  return start + (matchAt(PART, text, start)?.[0].length ?? 0);
}

function isHeader(beginning: string, length: number): boolean {
  const decoded = Buffer.from(beginning, 'base64url').toString('utf8');
  return HEADER.test(decoded) && (length > beginning.length || parsesToObject(decoded));
}

function isObject(part: string): boolean {
  return (
    /^ey|^ew/.test(part) && part.length <= 16_384 && parsesToObject(Buffer.from(part, 'base64url').toString('utf8'))
  );
}

function parsesToObject(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object';
  } catch {
    return false; // not JSON, so no web token: what the caller asks
  }
}
