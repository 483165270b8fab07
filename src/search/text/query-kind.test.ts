import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type QueryKind, readQueryKind } from './query-kind.ts';

const QUERIES: Record<QueryKind, readonly string[]> = {
  question: [
    'where does Keiko live',
    'Which port does the gateway listen on?',
    'and the deadline?',
    'In which city was the workshop held',
    'wann beginnt die Prüfung',
    '¿Qué comida le gusta a Ana',
    '她什么时候去里斯本',
    '締め切りはいつですか',
    'где лежит ключ',
  ],
  keywords: ['staging database port', 'deploy rollback checklist', 'Urlaub Antrag Frist', '部署端口'],
  remark: [
    'I finally want to learn how to swim this summer',
    'My daughter says that she saw a fox behind the school',
    'die Bäckerei am Markt hat wieder auf',
    '我们上周末一起去爬山，天气特别好。',
  ],
  name: ['Keiko', 'getUserById', 'src/auth/login.ts', 'ECONNRESET', '8443', 'Rachel Green', 'PROJ-1182'],
};

for (const [kind, queries] of Object.entries(QUERIES))
  test(`reads a ${kind}`, () => {
    for (const query of queries) assert.equal(readQueryKind(query), kind, query);
  });

test('an empty query, signs alone and a page of text are of some kind, in a moment', () => {
  const started = process.cpuUsage().user;
  for (const text of [
    '',
    '?!',
    '   ',
    'a'.repeat(900_000),
    '? '.repeat(450_000),
    '"'.repeat(900_000),
    '¿'.repeat(900_000),
  ])
    assert.ok(Object.keys(QUERIES).includes(readQueryKind(text)));
  assert.ok(process.cpuUsage().user - started < 1_000_000);
});
