import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem } from './stem.ts';

const examples = `consist consist consisted consist consistency consist consistently consist knack knack knightly knight
generate generat general general generously generous communication communic internal internal
hopping hop hoping hope luxuriated luxuri falling fall filing file agreed agre ties tie cries cri gas gas this this kiwis kiwi
happy happi say say by by enjoy enjoy relational relat conditional condit rationalize ration national nation
controll control dying die skis ski news news inning inning evening evening proceed proceed succeeded succeed
sky sky yes yes youth youth apologist apolog probate probat rate rate cease ceas`;

test('stems English as the Snowball algorithm is published', () => {
  const words = examples.split(/\s+/);
  for (let i = 0; i < words.length; i += 2) assert.equal(stem(words[i]!), words[i + 1], words[i]);
});

test('leaves words of one or two letters alone', () => {
  for (const word of ['a', 'is', 'as', 'us']) assert.equal(stem(word), word);
});
