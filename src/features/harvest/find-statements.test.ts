import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LABELLED_TURNS } from '../../../evals/harvest/turns.ts';
import { findScreenedStatements, findStatements } from './find-statements.ts';
import { DEFAULT_MIN_CONFIDENCE } from './harvest.ts';

const SPEAKERS = ['user', 'agent'] as const;

test('every language has its rules: of the labelled turns nothing is taken for what it is not', () => {
  for (const { text, by, states, language } of LABELLED_TURNS) {
    const types = findStatements({ by, text })
      .filter(({ confidence }) => confidence >= DEFAULT_MIN_CONFIDENCE)
      .map(({ type }) => type);
    assert.deepEqual(types, states === null ? [] : [states], `${language}: ${text}`);
  }
});

test('a reason raises the confidence, doubt lowers it, and an order is a convention when a person gives it', () => {
  const confidenceOf = (text: string, by: (typeof SPEAKERS)[number] = 'agent') =>
    findStatements({ by, text })[0]?.confidence ?? 0;
  const plain = confidenceOf('We decided to drop support for the old import format.');
  assert.ok(confidenceOf('We decided to drop support for the old import format because nobody uses it.') > plain);
  assert.ok(confidenceOf('I think we decided to drop support for the old import format.') < plain);
  const order = 'Always run the migration before the tests, please.';
  assert.ok(confidenceOf(order, 'user') >= DEFAULT_MIN_CONFIDENCE && confidenceOf(order) < DEFAULT_MIN_CONFIDENCE);
});

test('a sentence that points at the one before it brings that one along', () => {
  const [found] = findStatements({
    by: 'agent',
    text: 'The export was empty. This was caused by a filter on the wrong column.',
  });
  assert.equal(found?.text, 'The export was empty. This was caused by a filter on the wrong column.');
});

test('list marks and emphasis are not part of what was said, and hostile text takes no longer than other text', () => {
  const [found] = findStatements({ by: 'agent', text: '- **Decision:** the queue stays in SQLite, `jobs` table.' });
  assert.equal(found?.text, 'Decision: the queue stays in SQLite, `jobs` table.');
  const timeOf = (text: string): number => {
    const started = process.cpuUsage();
    findStatements({ by: 'agent', text });
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const honest = 'The server answers with a page of results and a cursor for the next one. '.repeat(4000);
  const hostile = `${'we have finally then we have decided the cause of '.repeat(9)}. `.repeat(600);
  timeOf(honest);
  assert.ok(timeOf(hostile) < 20 * timeOf(honest));
});

test('a password in which a sentence could end is replaced before sentences are cut', async () => {
  const password = ['x9Q', 'Zr7!', 'Kp2#vL8w'].join('');
  const text = `We decided to use SQLite because it needs no server, so the settings are {"password":${JSON.stringify(password)}} from now on.`;
  const [kept] = findStatements({ by: 'agent', text });
  assert.ok(kept!.text.includes('x9QZr7!'));
  const found = await findScreenedStatements({ by: 'agent', text });
  assert.deepEqual(
    found.map((one) => one.text),
    [text.replace(JSON.stringify(password), '"[redacted:password]"')],
  );
});
