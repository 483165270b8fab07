/** Undefined where the text is not JSON; what that means is for the caller to say. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // every caller refuses it, or takes the text as it is
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Assigned to an object it is no key but the object's prototype: programs that read the JSON would drop it, or be led astray. */
const FORBIDDEN_KEY = '__proto__';
export const FORBIDDEN_KEY_FAULT = `must not have the key "${FORBIDDEN_KEY}"`;

/** At any depth that is looked at: deeper values are refused for that. */
export function hasForbiddenKey(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return (
    Object.hasOwn(value, FORBIDDEN_KEY) || Object.values(value).some((inner) => hasForbiddenKey(inner, levels - 1))
  );
}

/** What comes from outside may not be nested deeper: whoever walks through it would run out of stack. */
export const MAX_JSON_DEPTH = 64;

/** Of JSON text, without parsing it. */
export function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
