import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { digestSession } from './digest-session.ts';
import type { Observation } from './observation.ts';
import { readStatements } from './read-statements.ts';

const EMPTY: Observation = {
  id: 'a',
  number: 1,
  at: 1,
  event: 'tool',
  type: 'note',
  title: '',
  summary: '',
  tool: null,
  input: '',
  output: '',
  text: '',
  files: [],
  concepts: [],
  prompt: 1,
  failed: false,
  screened: [],
  session: 's',
  agent: 'codex',

  project: null,
  act: null,
  command: null,
  problem: null,
  source: { door: 'library', userId: 'owner' },
  trust: 'agent',
};
const prompt = (text: string): Observation => ({ ...EMPTY, event: 'prompt', type: 'prompt', text, summary: text });
const reply = (text: string): Observation => ({ ...EMPTY, event: 'turn', type: 'reply', text, summary: text });
const tool = (said: Partial<Observation>): Observation => ({ ...EMPTY, tool: 'Bash', ...said });

describe('the digest of a session', () => {
  test('says what was asked, done, decided, what failed, is open and comes next', () => {
    const digest = digestSession([
      prompt('Add a retry to the uploader. It loses files.'),
      tool({
        tool: 'Edit',
        type: 'change',
        act: 'edit',
        files: ['src/upload.ts'],
        summary: 'Edited src/upload.ts (+3): upload',
      }),
      tool({ act: 'command', command: 'npm test', failed: true, summary: 'npm test: 1 of 9 failed: "retries"' }),
      tool({
        type: 'bugfix',
        act: 'command',
        command: 'npm test',
        files: ['src/retry.ts'],
        summary: 'Fixed by editing src/retry.ts: "retries"',
      }),
      tool({ type: 'change', act: 'command', command: 'git commit', summary: 'Committed "Retry uploads"' }),
      tool({
        act: 'command',
        command: 'npm run e2e',
        failed: true,
        summary: 'npm run e2e: failed: TimeoutError: 30 s',
      }),
      reply(
        'We decided to use exponential backoff instead of a fixed delay. A queue in Redis did not work because the container has none.\n\n**Open:**\n- The e2e test still times out\n\nNext step: raise the timeout of the proxy.',
      ),
    ]);
    assert.deepEqual(digest, {
      asked: 'Add a retry to the uploader.',
      done: ['Edited src/upload.ts', 'Fixed by editing src/retry.ts: "retries"', 'Committed "Retry uploads"'],
      decided: ['We decided to use exponential backoff instead of a fixed delay.'],
      failed: [
        'A queue in Redis did not work because the container has none.',
        'npm run e2e: failed: TimeoutError: 30 s',
      ],
      open: ['The e2e test still times out'],
      next: 'raise the timeout of the proxy.',
    });
  });

  test('forgets what was open and next when a later turn says otherwise, and keeps what was decided', () => {
    const digest = digestSession([
      prompt('Build the cart.'),
      reply("Let's use SQLite for the cart. Next step: write the schema. The tax is still unclear."),
      prompt('Go on.'),
      reply('Done. Next step: deploy to staging.'),
    ]);
    assert.deepEqual([digest.decided, digest.next], [["Let's use SQLite for the cart."], 'deploy to staging.']);
  });

  test('takes what fails at the end for the next step where nobody names one', () => {
    const { next } = digestSession([
      tool({ act: 'command', command: 'make', failed: true, summary: 'make: failed: error: x' }),
    ]);
    assert.equal(next, 'Fix what fails: make: failed: error: x');
  });

  test('reads the sections of a compaction summary', () => {
    const summary = `This session is being continued.
## Pending Tasks
- Move the index to a worker
- Document the flag
## Optional Next Step
Write the migration for segments.
## Key files
- src/index.ts`;
    const digest = digestSession([{ ...EMPTY, event: 'compact', text: summary }]);
    assert.deepEqual(digest.open, ['Move the index to a worker', 'Document the flag']);
    assert.equal(digest.next, 'Write the migration for segments.');
  });
});

describe('statements are found in seven languages', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['en', 'decided', 'We decided to keep the REST API.'],
    ['en', 'decided', 'Use pnpm instead of npm in this repository.'],
    ['en', 'failed', "Pinning the version didn't help."],
    ['en', 'open', 'TODO: document the flag.'],
    ['de', 'decided', 'Wir haben uns für PostgreSQL entschieden.'],
    ['de', 'failed', 'Der Cache hat nicht funktioniert.'],
    ['de', 'next', 'Als nächstes die Migration schreiben.'],
    ['de', 'open', 'Die Übersetzung fehlt noch.'],
    ['fr', 'decided', 'Nous avons choisi Redis pour la file.'],
    ['fr', 'failed', "Le correctif n'a pas fonctionné."],
    ['fr', 'next', 'Prochaine étape : écrire les tests.'],
    ['fr', 'open', 'Il reste à traduire la page.'],
    ['es', 'decided', 'Decidimos guardar los precios en céntimos.'],
    ['es', 'failed', 'La caché no funcionó.'],
    ['es', 'next', 'El siguiente paso es desplegar.'],
    ['es', 'open', 'Todavía no hay pruebas.'],
    ['pt', 'decided', 'Vamos usar o Kafka para os eventos.'],
    ['pt', 'failed', 'A correção não funcionou.'],
    ['pt', 'next', 'Próximo passo: publicar a imagem.'],
    ['pt', 'open', 'Ainda não testamos no Windows.'],
    ['ja', 'decided', 'データベースはSQLiteを採用します。'],
    ['ja', 'failed', 'キャッシュはうまくいかなかった。'],
    ['ja', 'next', '次はテストを書きます。'],
    ['ja', 'open', '認証は未対応です。'],
    ['zh', 'decided', '我们决定使用PostgreSQL。'],
    ['zh', 'failed', '这个方案行不通。'],
    ['zh', 'next', '下一步写迁移脚本。'],
    ['zh', 'open', '文档还没写。'],
  ];
  for (const [language, kind, text] of rows)
    test(`${language}: ${text}`, () =>
      assert.deepEqual(
        readStatements(text).map((one) => one.kind),
        [kind],
      ));

  test('questions, code, quotations and plain talk say nothing', () => {
    for (const text of [
      'Should we use SQLite instead of Postgres?',
      '```\n// TODO: decided to use x\n```',
      '> We decided to use x.',
      'The function reads the file and returns its lines.',
      'Here is what the code does: it parses JSON.',
      'Die Tests laufen durch.',
    ])
      assert.deepEqual(readStatements(text), [], text);
  });
});
