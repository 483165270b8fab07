import { isPiece } from './key-body.ts';
import { matchAt, type Range, type SecretRule } from './secret-rule.ts';

const ID = /A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/y;
/** The secret stands this near behind its id: beside it, in the next field, or as the next setting. */
const NEAR = 160;
const SECRET = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** The id of a key of AWS, and the secret that belongs to it, which has no shape of its own. */
export const AWS_RULE: SecretRule = {
  kind: 'aws-key',
  mode: 'redact',
  literals: ['AKIA', 'ASIA'],
  anyCase: false,
  glued: false,
  context: false,
  find(text, at) {
    const id = matchAt(ID, text, at)?.[0];
    if (id === undefined) return null;
    const end = at + id.length;
    const own: Range = [at, end];
    for (const { 0: secret, index } of text.slice(end, end + NEAR).matchAll(SECRET))
      if (isPiece(secret)) return [own, [end + index, end + index + secret.length]];
    return own;
  },
};
