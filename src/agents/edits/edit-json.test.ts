import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { EngineError } from '../../model/errors.ts';
import { appendJsonAt, readJsonAt, removeJsonAt, setJsonAt } from './edit-json.ts';
import { parseJsonTree } from './json-tree.ts';

const ENTRY = { command: 'ltm', args: ['mcp'] };
const file = (text: string) => ({ text, name: 'settings.json' });
const add = (text: string): string => setJsonAt(file(text), ['mcpServers', 'ltm'], ENTRY).text;

describe('a JSON text that is edited', () => {
  it('keeps comments, order, spacing and the comment behind the last entry', () => {
    const text =
      '{\n  // mine\n  "a" : 1, /* one */\n  "mcpServers": {\n    "x": {"command":  "y"} // the x\n  },\n  "z": []\n}\n';
    assert.equal(
      add(text),
      '{\n  // mine\n  "a" : 1, /* one */\n  "mcpServers": {\n    "x": {"command":  "y"}, // the x\n    "ltm": {\n      "command": "ltm",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n  "z": []\n}\n',
    );
  });

  it('keeps line ends, a byte order mark, tabs and a trailing comma', () => {
    const text = '\uFEFF{\r\n\t"theme": "dark",\r\n}';
    assert.equal(
      add(text),
      '\uFEFF{\r\n\t"theme": "dark",\r\n\t"mcpServers": {\r\n\t\t"ltm": {\r\n\t\t\t"command": "ltm",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t}\r\n\t},\r\n}',
    );
  });

  it('stays on one line where it was on one line', () => {
    assert.equal(add('{"a":1}'), '{"a":1, "mcpServers": {"ltm":{"command":"ltm","args":["mcp"]}}}');
  });

  it('is left as it is where the value is there already, however it is written', () => {
    const text = '{ "mcpServers": { "ltm": { "args":["mcp"],"command":"ltm" } } }';
    assert.equal(add(text), text);
  });

  it('gets the comma of its last entry back when ours goes', () => {
    const text = '{\n  "mcpServers": {\n    "x": {} // the x\n  }\n}\n';
    assert.equal(removeJsonAt(file(add(text)), ['mcpServers', 'ltm']).text, text);
  });

  it('takes items of a list away one by one', () => {
    const text = '{ "plugin": ["a", "longmem", "b" ] }';
    assert.equal(removeJsonAt(file(text), ['plugin', 1]).text, '{ "plugin": ["a", "b" ] }');
    assert.equal(removeJsonAt(file(text), ['plugin', 2]).text, '{ "plugin": ["a", "longmem" ] }');
  });

  it('is refused with its line where it is no JSON, or where a value of another kind stands in the way', () => {
    for (const text of [
      '{\n  "a": 1\n  "b": 2\n}',
      '{ bad',
      '{"a": [1,,2]}',
      '{"a": "\n"}',
      '{"a": 1} x',
      '/* open {}',
    ])
      assert.throws(
        () => add(text),
        (error) => error instanceof EngineError && /not valid JSON: line \d/.test(error.message),
      );
    for (const text of ['[]', '"x"', '{"mcpServers": []}', '{"mcpServers": "x"}'])
      assert.throws(() => add(text), /is not a JSON object/);
    assert.deepEqual(readJsonAt(file(add('{"mcpServers": null}')), ['mcpServers', 'ltm']), ENTRY);
  });

  it('holds everything it held, whatever it holds, and the same again when our entry goes', () => {
    const written = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, 2, 4, '\t'), fc.boolean())
      .map(([value, indent, isWindows]) => {
        const text = JSON.stringify(value, null, indent);
        return { value, text: isWindows ? text.replaceAll('\n', '\r\n') : text };
      });
    fc.assert(
      fc.property(written, ({ value, text }) => {
        const { mcpServers: _, ...foreign } = value;
        const bare = setJsonAt(file(text), ['mcpServers'], {});
        const edited = appendJsonAt(setJsonAt(bare, ['mcpServers', 'ltm'], ENTRY), ['own', 'Stop'], ENTRY);
        const { mcpServers, own, ...rest } = parseJsonTree(edited.text, '').value as Record<string, unknown>;
        assert.ok(isDeepStrictEqual(mcpServers, { ltm: ENTRY }));
        if (!('own' in value)) {
          assert.deepEqual(own, { Stop: [ENTRY] });
          assert.ok(isDeepStrictEqual(rest, JSON.parse(JSON.stringify(foreign))));
        }
        const { mcpServers: left, ...others } = JSON.parse(
          removeJsonAt(setJsonAt(bare, ['mcpServers', 'ltm'], ENTRY), ['mcpServers', 'ltm']).text,
        );
        assert.deepEqual(left, {});
        assert.ok(isDeepStrictEqual(others, JSON.parse(JSON.stringify(foreign))));
      }),
      { numRuns: 300 },
    );
  });
});
