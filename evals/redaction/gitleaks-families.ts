import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { Sample } from './positives.ts';
import { samplePattern } from './sample-pattern.ts';

/** Public ids, guesses by design, and whole files: nothing that a format rule should find. */
const LEFT_OUT = new Set([
  'asana-client-id',
  'discord-client-id',
  'linkedin-client-id',
  'sumologic-access-id',
  'generic-api-key',
  'kubernetes-secret-yaml',
  'pkcs12-file',
]);

/** Patterns so loose that most of what they match is no token of the kind: drawn from the vendor's own description instead. */
const NARROWED: Record<string, string> = {
  jwt: ['ey', 'JhbGciOiJIUzI1NiJ9\\.ey', 'J[A-Za-z0-9_-]{17,}\\.[A-Za-z0-9_-]{10,}'].join(''),
  'jwt-base64': 'ZXlKaGJHY2lPaU[A-Za-z0-9]{80,}',
  'private-key': '-----BEGIN (?:RSA |EC |DSA |)PRIVATE KEY-----\\n[A-Za-z0-9+/]{64}\\n-----END PRIVATE KEY-----',
  'slack-webhook-url': 'https://hooks\\.slack\\.com/services/[A-Za-z0-9+/]{43,56}',
  'slack-config-access-token': 'xoxe\\.xox[bp]-\\d-[A-Z0-9]{163,166}',
  'slack-app-token': 'xapp-\\d-[A-Z0-9]{11}-\\d{13}-[a-z0-9]{64}',
  'slack-legacy-token': 'xox[os]-\\d{11}-\\d{11}-\\d{11}-[a-f\\d]{10}',
  'telegram-bot-api-token': 'telegram_token=[0-9]{8,10}:A[A-Za-z0-9_-]{34}',
  'stripe-access-token': '(?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{24,99}',
  'sourcegraph-access-token': 'sgp_(?:[a-f0-9]{16}|local)_[a-f0-9]{40}',
  'square-access-token': '(?:EAAA[\\w-]{60}|sq0atp-[\\w-]{22})',
  'curl-auth-header':
    'curl -H "Authorization: (?:Basic [A-Za-z0-9+/]{20}=|Bearer [A-Za-z0-9._-]{24})" https://host\\.test',
  'curl-auth-user': 'curl -u "?[a-z]{4,8}:[A-Za-z0-9]{8,12}"? https://host\\.test',
  'freemius-secret-key': '"secret_key" => "sk_[A-Za-z0-9]{29}"',
  'hashicorp-tf-password': 'administrator_login_password = "[A-Za-z0-9=_-]{8,20}"',
  'nuget-config-password': '<add key="ClearTextPassword" value="[A-Za-z0-9!]{8,16}" />',
};

/** Their way to say "an operator, with anything around it" draws texts that nobody writes. */
const GLUE: readonly (readonly [string, string])[] = [
  ['[\\w.-]{0,50}?', ''],
  ['(?:[ \\t\\w.-]{0,20})[\\s\'"]{0,3}', '(?:_KEY|_SECRET|_api_key|)'],
  ['(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60\'"\\s=]{0,5}', '(?:=|: |":"|: "|="| = "|=>")'],
  ['(?:[\\x60\'"\\s;]|\\\\[nr]|$)', '["\n]'],
];

export interface GitleaksOptions {
  path: string;
  count: number;
  /** Leaves nothing out and narrows nothing; only the glue around values is made readable. */
  asWritten: boolean;
}

/** Samples of the families in a gitleaks rule file; `secret` is not known here, only that something must be found. */
export function sampleGitleaks({ path, count, asWritten }: GitleaksOptions, random: Random): Sample[] {
  const { rules } = parse(readFileSync(path, 'utf8')) as { rules: { id: string; regex?: string }[] };
  return rules
    .filter(({ id, regex }) => regex !== undefined && (asWritten || !LEFT_OUT.has(id)))
    .flatMap(({ id, regex }) => {
      const unglued = GLUE.reduce((text, [from, to]) => text.replaceAll(from, to), regex!);
      const pattern = asWritten ? unglued : (NARROWED[id] ?? unglued);
      return Array.from({ length: count }, () => ({
        kind: id,
        text: `x = 1\n${samplePattern(pattern, random)}\n`,
        secret: '',
      }));
    });
}
