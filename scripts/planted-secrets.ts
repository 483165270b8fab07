import { createHash } from 'node:crypto';

/** Thirty secrets as they turn up in prompts, commands, outputs and files, each made anew from the seed, so that none stands in a file of this project. */
export interface PlantedSecret {
  /** What must be found nowhere. */
  value: string;
  /** How it is said. */
  text: string;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const HEX = '0123456789abcdef';

export function plantSecrets(seed: string): PlantedSecret[] {
  let count = 0;
  const draw = (length: number, alphabet = LETTERS): string => {
    let out = '';
    for (let at = 0; out.length < length; at++) {
      const bytes = createHash('sha256').update(`${seed}:${count}:${at}`).digest();
      for (const byte of bytes) if (out.length < length) out += alphabet[byte % alphabet.length];
    }
    count += 1;
    return out;
  };
  const said = (value: string, text = value): PlantedSecret => ({ value, text });
  const named = (name: string, value: string): PlantedSecret => ({ value, text: `${name}${value}` });
  const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ sub: draw(12), iat: 1_700_000_000 })}.${draw(43)}`;
  const inUrl = (scheme: string): PlantedSecret => {
    const password = draw(18);
    return said(password, `${scheme}://app:${password}@db.internal:5432/main`);
  };
  return [
    said(`ghp_${draw(36)}`),
    said(`AKIA${draw(16, UPPER)}`),
    said(`sk-ant-api03-${draw(80)}AA`),
    said(`sk-proj-${draw(48)}`),
    said(`xoxb-${draw(12, '0123456789')}-${draw(12, '0123456789')}-${draw(24)}`),
    said(`sk_live_${draw(24)}`),
    said(`AIza${draw(35)}`),
    said(`npm_${draw(36)}`),
    said(`glpat-${draw(20)}`),
    said(`SG.${draw(22)}.${draw(43)}`),
    said(jwt),
    inUrl('postgres'),
    inUrl('mysql'),
    inUrl('mongodb'),
    named('DB_PASS=', draw(16)),
    named('export API_KEY=', draw(32)),
    named('aws_secret_access_key = ', draw(40)),
    named('password: ', draw(14)),
    named('Authorization: Bearer ', draw(40)),
    named('client_secret=', draw(32)),
    named('the root password is ', `${draw(6)}!${draw(6)}`),
    named('passphrase: ', draw(20)),
    said(`hf_${draw(34)}`),
    said(`dop_v1_${draw(64, HEX)}`),
    said(`github_pat_${draw(22)}_${draw(59)}`),
    said(`pypi-AgEIcHlwaS5vcmc${draw(80)}`),
    named('curl -u admin:', draw(16)),
    named('TWILIO_AUTH_TOKEN=', draw(32, HEX)),
    said(`-----BEGIN OPENSSH PRIVATE KEY-----\n${draw(64)}\n${draw(64)}\n-----END OPENSSH PRIVATE KEY-----`),
    named('<private>my locker is ', draw(12)),
  ].map((secret, at, all) => {
    // A key block is looked for by its lines; a private span is closed.
    if (at === 28) return { ...secret, value: secret.value.split('\n')[1]! };
    return at === all.length - 1 ? { ...secret, text: `${secret.text}</private>` } : secret;
  });
}
