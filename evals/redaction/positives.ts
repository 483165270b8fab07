import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import { NAMED_FORMATS, TOKEN_FORMATS } from './formats.ts';
import { samplePattern } from './sample-pattern.ts';

export interface Sample {
  kind: string;
  text: string;
  /** What must be gone after the replacement; empty in a text that holds nothing to find. */
  secret: string;
}

/** Where secrets are met. Each takes the secret as it is and gives the text around it. */
const CONTEXTS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `We rotated it yesterday, the new one is ${secret} for staging only.`,
  (secret) => JSON.stringify({ name: 'deploy', value: secret, retries: 3 }),
  (secret) => JSON.stringify({ command: `echo "first"\n${secret}\techo 'last'` }),
  (secret) => JSON.stringify({ output: JSON.stringify({ value: secret }) }),
  (secret) => `service:\n  replicas: 2\n  value: ${secret}\n  port: 80\n`,
  (secret) => `export VALUE=${secret}\nexport OTHER=1\n`,
  (secret) => `https://api.internal.test/v1/items?value=${secret}&page=2`,
  (secret) => `$ curl -sS -H 'X-Value: ${secret}' https://api.internal.test/v1/items`,
  (secret) => `@@ -1,3 +1,3 @@\n-const value = '';\n+const value = '${secret}';\n`,
  (secret) => `Error: refused (${secret})\n    at call (client.js:10:3)\n`,
  (secret) => `Use \`${secret}\` there.`,
  (secret) => `<add key="value" value="${secret}" />`,
];

const NAMED_CONTEXTS: readonly ((name: string, secret: string) => string)[] = [
  (name, secret) => `${name.toUpperCase()}_API_KEY=${secret}\n`,
  (name, secret) => JSON.stringify({ [`${name}_token`]: secret, port: 80 }),
  (name, secret) => `${name}:\n  key: 1\n${name}.api.key: ${secret}\n`,
  (name, secret) => `const ${name}Key = '${secret}';`,
  (name, secret) => `${name}_secret => "${secret}"`,
  (name, secret) => `+  ${name}-key: "${secret}",`,
];

const PASSWORD_NAMES = [
  'password',
  'PASSWORD',
  'DB_PASSWORD',
  'db_passwd',
  'adminPassword',
  'pwd',
  'passphrase',
  'client_secret',
  'API_KEY',
  'auth-token',
  'accessToken',
  'secretKey',
];
const PASSWORD_CONTEXTS: readonly ((name: string, secret: string) => string)[] = [
  (name, secret) => `${name}=${secret}\n`,
  (name, secret) => `export ${name}="${secret}"`,
  (name, secret) => `${name}: ${secret}\n`,
  (name, secret) => JSON.stringify({ user: 'root', [name]: secret }),
  (name, secret) => JSON.stringify({ input: JSON.stringify({ [name]: secret }) }),
  (name, secret) => `const ${name.replaceAll('-', '_')} = '${secret}';`,
  (name, secret) => `login --user root --${name} ${secret} --verbose`,
  (name, secret) => `https://host.test/login?${name}=${secret}&next=1`,
  (name, secret) => `<${name}>${secret}</${name}>`,
];

export function sampleTokens(count: number, random: Random): Sample[] {
  return TOKEN_FORMATS.flatMap(([kind, pattern]) =>
    Array.from({ length: count }, (_, i) => {
      const secret = samplePattern(pattern, random);
      return { kind, text: CONTEXTS[i % CONTEXTS.length]!(secret), secret };
    }),
  );
}

export function sampleNamed(count: number, random: Random): Sample[] {
  return NAMED_FORMATS.flatMap(([kind, name, pattern]) =>
    Array.from({ length: count }, (_, i) => {
      const secret = samplePattern(pattern, random);
      return { kind, text: NAMED_CONTEXTS[i % NAMED_CONTEXTS.length]!(name, secret), secret };
    }),
  );
}

/** Nine in ten as people and generators make them; the rest are plain words, which no rule can tell from a name. */
export function samplePasswords(count: number, random: Random): Sample[] {
  return Array.from({ length: count }, (_, i) => {
    const name = PASSWORD_NAMES[i % PASSWORD_NAMES.length]!;
    const isKey = /secret|key|token/i.test(name);
    const shapes = isKey
      ? ['[A-Za-z0-9_-]{32}', '[0-9a-f]{40}', '[A-Za-z0-9]{20}']
      : ['[A-Za-z0-9!@#%^*+=?~_-]{8,20}', '[a-z]{5,8}[0-9]{2,4}[!?#]?', '[A-Z][a-z]{5,9}[0-9]{1,4}', '[0-9]{8}'];
    const shape = i % 10 === 9 ? '[a-z]{8,12}' : shapes[Math.floor(random() * shapes.length)]!;
    const secret = samplePattern(shape, random);
    return {
      kind: 'password',
      text: PASSWORD_CONTEXTS[Math.floor(i / PASSWORD_NAMES.length) % PASSWORD_CONTEXTS.length]!(name, secret),
      secret,
    };
  });
}
