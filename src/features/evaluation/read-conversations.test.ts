import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engineError } from '../../../test/open-test-engine.ts';
import { readConversations } from './read-conversations.ts';

const good = () => ({
  conv: 'talk',
  names: ['Ann'],
  items: [
    { id: 'a', text: 'Ann: hello', s: 1 },
    { id: 2, text: 'Ben: bye', s: 2 },
  ],
  questions: [{ q: 'Who said bye?', gold: [2], cat: 4 }] as unknown[],
});
const read = (value: unknown) => readConversations(JSON.stringify(value), 'set.json');

describe('a file of conversations', () => {
  test('is read, with numbers taken as names', () => {
    const { conversations, notices } = read([good()]);
    assert.deepEqual(notices, []);
    assert.deepEqual(conversations, [
      {
        name: 'talk',
        items: [
          { id: 'a', text: 'Ann: hello', session: '1' },
          { id: '2', text: 'Ben: bye', session: '2' },
        ],
        questions: [{ text: 'Who said bye?', gold: ['2'], category: '4' }],
      },
    ]);
  });

  test('says which conversation and which field is wrong', () => {
    const faults: [unknown, RegExp, string | undefined][] = [
      [
        [good(), { ...good(), conv: 'second', items: [{ id: 'a', s: 1 }] }],
        /conversation 2 \("second"\), items\[0\]\.text is missing/,
        'items[0].text',
      ],
      [
        [{ ...good(), questions: [{ q: 'Who?', gold: 'a', cat: '1' }] }],
        /conversation 1 \("talk"\), questions\[0\]\.gold must be a list/,
        'questions[0].gold',
      ],
      [[{ ...good(), questions: [{ q: ' ', gold: [], cat: '1' }] }], /questions\[0\]\.q is empty/, 'questions[0].q'],
      [[{ items: [] }], /conversation 1, conv is missing/, 'conv'],
      [[{ ...good(), questions: undefined }], /questions is missing/, 'questions'],
      [[42], /conversation 1 must be an object/, undefined],
      [{ conv: 'x' }, /must be a JSON array/, undefined],
      [[], /contains no conversation/, undefined],
      [[{ ...good(), questions: [] }], /contains no question/, undefined],
    ];
    for (const [value, message, field] of faults)
      assert.throws(() => read(value), engineError('invalid_input', message, { file: 'set.json', field }));
    assert.throws(() => readConversations('{', 'set.json'), engineError('invalid_input', /set\.json is not JSON/));
  });

  test('is taken with its oddities, which are named', () => {
    const odd = good();
    odd.items.push({ id: 'a', text: '  ', s: 2 });
    odd.questions.push({ q: 'Where?', gold: ['gone', 'a'], cat: '1' });
    const { notices } = read([odd]);
    assert.equal(notices.length, 3);
    assert.match(
      notices.join('\n'),
      /1 gold ids are not among the items[\s\S]*1 item ids are used twice[\s\S]*1 items without text/,
    );
  });
});
