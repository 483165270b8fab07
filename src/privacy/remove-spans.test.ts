import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeSpans, unwrapResult } from './remove-spans.ts';

test('private spans and injected blocks are removed, nested and unclosed ones too', () => {
  const cases: [string, string][] = [
    ['a <private>b</private> c', 'a  c'],
    ['a <PRIVATE reason="x">b</Private> c', 'a  c'],
    ['a <private>b <private>c</private> d</private> e', 'a  e'],
    ['a <private>b', 'a '],
    ['a <private>b <ltm-context>c</ltm-context>', 'a '],
    ['<hook_context><ltm-context>x</ltm-context></hook_context>Fix it', 'Fix it'],
    ['<longmem-context>x</longmem-context>y<system-reminder>z</system-reminder>', 'y'],
    ['a < b, c</private>, <privateer>', 'a < b, c</private>, <privateer>'],
  ];
  for (const [text, kept] of cases) assert.equal(removeSpans(text).text, kept, text);
  assert.deepEqual(removeSpans('<private>x</private><ltm-context>y').removed, ['private', 'ltm-context']);
});

test('a span of a megabyte is removed to its end', () => {
  assert.equal(removeSpans(`a<private>${'x'.repeat(1 << 20)}</private>b`).text, 'ab');
});

test('the wrapper around a foreign result goes, the result stays', () => {
  assert.equal(unwrapResult('<untrusted_context source="mcp">\nfound 3</untrusted_context>'), 'found 3');
});
