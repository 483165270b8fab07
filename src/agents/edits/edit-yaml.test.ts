import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { removeYamlEntry, setYamlEntry } from './edit-yaml.ts';

const PLACE = { file: 'config.yaml', parent: 'extensions', name: 'ltm' };
const ENTRY = { enabled: true, type: 'stdio', cmd: '/a b/ltm', args: ['mcp'], envs: {}, timeout: 300 };

describe('a YAML text that is edited', () => {
  it('gets our entry behind the last one, and keeps comments, order and line ends', () => {
    const text =
      'MODEL: x # c\nextensions:\n    developer: # d\n        enabled: true\n\n# of the next\nOTHER: [1, 2]\n';
    const edited = setYamlEntry(text, PLACE, ENTRY);
    assert.deepEqual(parse(edited), { ...parse(text), extensions: { ...parse(text).extensions, ltm: ENTRY } });
    assert.equal(edited.replace(/ {4}ltm:\n( {8}.*\n)+/, ''), text);
    assert.equal(removeYamlEntry(edited, PLACE, true), text);
    const windows = text.replaceAll('\n', '\r\n');
    assert.equal(setYamlEntry(windows, PLACE, ENTRY), edited.replaceAll('\n', '\r\n'));
  });

  it('is left as it is the second time, and replaces an entry of ours that differs', () => {
    const edited = setYamlEntry('extensions:\n  a:\n    b: 1\n  ltm:\n    cmd: old\n  z:\n    b: 2\n', PLACE, ENTRY);
    assert.deepEqual(Object.keys(parse(edited).extensions), ['a', 'ltm', 'z']);
    assert.deepEqual(parse(edited).extensions.ltm, ENTRY);
    assert.equal(setYamlEntry(edited, PLACE, ENTRY), edited);
  });

  it('gets the mapping where there is none, or where it is empty', () => {
    for (const text of ['', 'A: 1', 'extensions: {}\nA: 1\n', 'extensions: # none\n', 'extensions: null\n'])
      assert.deepEqual(parse(setYamlEntry(text, PLACE, ENTRY)).extensions, { ltm: ENTRY }, text);
    assert.equal(removeYamlEntry(setYamlEntry('A: 1\n', PLACE, ENTRY), PLACE, false), 'A: 1\n');
    assert.deepEqual(parse(removeYamlEntry(setYamlEntry('extensions: {}\n', PLACE, ENTRY), PLACE, true)), {
      extensions: {},
    });
  });

  it('is refused in any form but plain blocks', () => {
    for (const text of [
      'extensions: { a: { b: 1 } }\n',
      'extensions:\n- a\n',
      'extensions:\n  - a\n',
      'a: 1\n---\nb: 2\n',
      'extensions: *x\n',
    ])
      assert.throws(() => setYamlEntry(text, PLACE, ENTRY), /was left as it is/, text);
  });
});
