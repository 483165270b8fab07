import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactTexts, ScreenedTexts } from './redact-texts.ts';

const TOKEN = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
const PLAIN = 'The harbour opens at six, and the crane is serviced in May. '.repeat(8000);

function timeOf(act: () => unknown): number {
  const { user, system } = process.cpuUsage();
  act();
  const used = process.cpuUsage({ user, system });
  return used.user + used.system;
}

test('a text in which nothing was found is looked at once, under whatever field it comes', () => {
  const screened = new ScreenedTexts();
  redactTexts(PLAIN, 'output');
  const first = timeOf(() => redactTexts(PLAIN, 'output', undefined, screened));
  const again = timeOf(() => redactTexts({ text: PLAIN }, '', undefined, screened));
  assert.ok(again * 5 < first, `${first} µs, then ${again} µs`);
});

test('a text that differs in one character is looked at, and so is one that held a secret', () => {
  const screened = new ScreenedTexts();
  redactTexts([PLAIN, 'token: ', TOKEN], 'output', undefined, screened);
  for (const text of [TOKEN, `token: ${TOKEN}`, `${PLAIN}${TOKEN}`]) {
    const { value, redactions } = redactTexts(text, 'text', undefined, screened);
    assert.ok(!value.includes(TOKEN));
    assert.deepEqual(
      redactions.map(({ field, replaced }) => ({ field, replaced })),
      [{ field: 'text', replaced: true }],
    );
  }
});

test('what only its name gives away is found in a text that was looked at without one', () => {
  const screened = new ScreenedTexts();
  const value = ['Xk9', 'pTq2', 'Lw7z'].join('');
  assert.equal(redactTexts(value, 'output', undefined, screened).value, value);
  assert.notEqual(redactTexts({ password: value }, '', undefined, screened).value.password, value);
});

test('a mark that was written down, sent or copied says nothing', () => {
  const screened = new ScreenedTexts();
  redactTexts(PLAIN, 'output', undefined, screened);
  assert.equal(JSON.stringify({ screened }), '{"screened":{}}');
  for (const copy of [JSON.parse(JSON.stringify(screened)), structuredClone(screened), { ...screened }])
    assert.throws(() => redactTexts(PLAIN, 'output', undefined, copy as ScreenedTexts));
});

test('no more than a bounded number of characters is remembered, and what was forgotten is looked at again', () => {
  const screened = new ScreenedTexts();
  const pages = Array.from({ length: 12 }, (_, i) => `${i} ${PLAIN}`);
  for (const page of pages) assert.equal(redactTexts(page, 'text', undefined, screened).value, page);
  const last = timeOf(() => redactTexts(pages.at(-1)!, 'text', undefined, screened));
  const first = timeOf(() => redactTexts(pages[0]!, 'text', undefined, screened));
  assert.ok(last * 5 < first, `${first} µs, ${last} µs`);
});
