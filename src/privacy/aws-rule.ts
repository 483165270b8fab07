import { isPiece } from './key-body.ts';
import { matchAt, type Range, type SecretRule } from './secret-rule.ts';

/** Or what stands in place of one since it was replaced by itself. */
const ID = /A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])|\[redacted:aws-key\]/y;
/** The secret stands this near behind its id: beside it, in the next field, or as the next setting. */
const NEAR = 160;
const SECRET = /(?<=^|[^A-Za-z0-9+/=]|\\[nrt])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** The id of a key of AWS, and the secret that belongs to it, which has no shape of its own. */
export const AWS_RULE: SecretRule = {
  kind: 'aws-key',
  mode: 'redact',
  literals: ['AKIA', 'ASIA', '[redacted:aws-key]'],
  anyCase: false,
  glued: false,
  context: false,
  find(text, at) {
    const id = matchAt(ID, text, at)?.[0];
    if (id === undefined) return null;
    const end = at + id.length;
    const own: readonly Range[] = text[at] === '[' ? [] : [[at, end]];
    const [, sign, beside] = /^([/+=])([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/.exec(text.slice(end, end + 48)) ?? [];
    if (sign !== undefined && isPiece(beside!)) return [...own, [end + 1, end + 41]];
    for (const { 0: secret, index } of text.slice(end, end + NEAR).matchAll(SECRET))
      if (isPiece(secret)) return [...own, [end + index, end + index + secret.length]];
    return own;
  },
};
