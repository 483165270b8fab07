import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMachine } from './hook-process.ts';

const letters = (length: number, from = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'): string =>
  from.repeat(Math.ceil(length / from.length)).slice(0, length);
const hex = (length: number): string => letters(length, '4f9a1c7e3b8d2065');

/** Put together here, so that no scanner takes this file for a leak. What must not be stored, and the text it stands in. */
const SECRETS: readonly [secret: string, text: string][] = [
  ...(
    [
      [`sk-or-v1-${hex(64)}`],
      [`sk-ant-api03-${letters(80)}`],
      [`sk-${letters(48)}`],
      [`AIza${letters(35)}`],
      [`sk_live_${letters(24)}`],
      [`rk_live_${letters(24)}`],
      [`SG.${letters(22)}.${letters(43)}`],
      [`npm_${letters(36)}`],
      [`ghp_${letters(36)}`],
      [`gho_${letters(36)}`],
      [`ghs_${letters(36)}`],
      [`github_pat_${letters(22)}_${letters(59)}`],
      [`glpat-${letters(20)}`],
      [`xoxb-${'123456789012'}-${'123456789012'}-${letters(24)}`],
      [`AKIA${letters(16, 'Q7ZD3FK9WX2LPB5T')}`],
    ] as const
  ).map(([secret]): [string, string] => [secret, `found ${secret} in the log`]),
  [`SK${hex(32)}`, `TWILIO_API_KEY=SK${hex(32)}`],
  [letters(40), `AWS_SECRET_ACCESS_KEY=${letters(40)}`],
  [
    letters(86),
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${letters(86)}==;EndpointSuffix=core.windows.net`,
  ],
  [
    `eyJzdWIiOiIxMjM0NTY3ODkwIn0`,
    `token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${letters(43)}`,
  ],
  [letters(64), `-----BEGIN RSA PRIVATE KEY-----\n${`${letters(64)}\n`.repeat(12)}-----END RSA PRIVATE KEY-----`],
  ['Tr0ub4dor', 'postgres://app:Tr0ub4dor@db.internal:5432/app'],
  ['c0rrectH0rse', 'mysql://root:c0rrectH0rse@10.0.0.5/shop'],
  ['b4tterySt4ple', 'mongodb+srv://svc:b4tterySt4ple@cluster0.mongodb.net/x'],
  ['swordfish99', 'DB_PASSWORD=swordfish99'],
  ['hunter2hunter2', '{"password":"hunter2hunter2","user":"ada"}'],
  ['k3J9sLq2Xw8Zr5Tn', 'export API_KEY=k3J9sLq2Xw8Zr5Tn'],
  [letters(32), `Authorization: Bearer ${letters(32)}`],
  ['Zx9!kQ2#vB7m', 'The admin password is Zx9!kQ2#vB7m, do not tell anyone'],
  ['pL4inB4sic', `curl -u deploy:pL4inB4sic https://ci.example.org`],
  [
    Buffer.from(`ghp_${letters(36)}`).toString('base64'),
    `data: ${Buffer.from(`ghp_${letters(36)}`).toString('base64')}`,
  ],
  ['my-own-diary-entry', '<private>my-own-diary-entry</private> after'],
  ['never-closed-span', 'before <private>never-closed-span'],
  ['secret-of-dotenv', ''],
];

test(`none of ${SECRETS.length} planted secrets is in the spool, the database or a log`, async (context) => {
  const machine = makeMachine();
  context.after(machine.remove);
  const { hook, ltm, home } = machine;
  const common = { hook_event_name: 'PostToolUse', tool_name: 'Bash' };
  await hook({
    ...common,
    tool_use_id: 'env',
    tool_input: { command: 'head -n 5 .env' },
    tool_response: { stdout: 'K=secret-of-dotenv' },
  });
  const texts = SECRETS.map(([, text]) => text);
  for (const [i, text] of texts.entries()) {
    const event = [
      {
        ...common,
        tool_use_id: `i${i}`,
        tool_input: { command: `echo '${text}'`, nested: { list: [text] } },
        tool_response: { stdout: text },
      },
      { hook_event_name: 'UserPromptSubmit', prompt: `Look: ${text}`, prompt_id: `p${i}` },
      { hook_event_name: 'Stop', last_assistant_message: `I saw ${text}`, prompt_id: `p${i}` },
    ][i % 3]!;
    await hook(event);
  }
  // All in one text, and each across the cut.
  await hook({
    ...common,
    tool_use_id: 'all',
    tool_input: { content: texts.slice(0, 30).join('\n') },
    tool_response: [{ type: 'text', text: texts.slice(0, 30).join('\n') }],
  });
  for (const [i, text] of texts.slice(0, 6).entries())
    await hook({
      ...common,
      tool_use_id: `cut${i}`,
      tool_input: {},
      tool_response: `${'x '.repeat(4090)}${text}${' y'.repeat(3000)}`,
    });
  // Cut off in the middle, where nothing tells what it would have been.
  await hook(`{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"Use ghp_${letters(20)}`, {
    neverEnds: true,
  });
  expectNone(readAll(home), 'in the spool');
  while (machine.waiting().length > 0) await ltm(['stats']);
  const listed = await ltm(['export', '--kind', 'observation']);
  assert.ok(listed.stdout.split('\n').length > SECRETS.length, 'the events are there');
  expectNone(listed.stdout, 'in the export');
  expectNone(readAll(home), 'in the database');
});

function expectNone(text: string, where: string): void {
  for (const [secret] of SECRETS) assert.ok(!text.includes(secret), `${secret.slice(0, 6)}… is ${where}`);
  assert.ok(!text.includes(`ghp_${letters(20)}`), `a half one is ${where}`);
}

function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
