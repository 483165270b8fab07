import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'smol-toml';
import { removeTomlTable, setTomlTable } from './edit-toml.ts';

const TABLE = { file: 'config.toml', parent: 'mcp_servers', name: 'ltm' };
const ENTRY = { command: 'ltm', args: ['mcp'] };
const OURS = '[mcp_servers.ltm]\ncommand = "ltm"\nargs = ["mcp"]\n';

describe('a TOML text that is edited', () => {
  it('gets our table at its end, with its own line ends, and loses it again without a trace', () => {
    const unix = '# top\nmodel = "x"\n\n[mcp_servers.other] # o\nargs = [\n  "[mcp_servers.ltm]",\n]\n';
    assert.equal(setTomlTable(unix, TABLE, ENTRY), `${unix}\n${OURS}`);
    assert.equal(removeTomlTable(`${unix}\n${OURS}`, TABLE), unix);
    const windows = unix.replaceAll('\n', '\r\n');
    assert.equal(setTomlTable(windows, TABLE, ENTRY), `${windows}\r\n${OURS.replaceAll('\n', '\r\n')}`);
    assert.equal(removeTomlTable(setTomlTable(windows, TABLE, ENTRY), TABLE), windows);
    assert.equal(setTomlTable('', TABLE, ENTRY), OURS);
  });

  it('is left as it is where our table says the same', () => {
    const text = '[mcp_servers."ltm"]\nargs = [ "mcp", ]\ncommand = \'ltm\'\nrequired = true\n';
    assert.equal(setTomlTable(text, TABLE, ENTRY), text);
  });

  it('keeps what the user has added to our table, and replaces values over several lines', () => {
    const text =
      'a = 1\n[mcp_servers.ltm] # mine\nargs = [\n  "old",\n  "]",\n]\nrequired = true # wait\ncommand = "old"\n[other]\nb = 2\n';
    const edited = setTomlTable(text, TABLE, { ...ENTRY, env: { LTM_DB: '/a b' } });
    assert.equal(
      edited,
      'a = 1\n[mcp_servers.ltm] # mine\nenv = { "LTM_DB" = "/a b" }\nargs = ["mcp"]\nrequired = true # wait\ncommand = "ltm"\n[other]\nb = 2\n',
    );
    assert.equal((parse(edited).other as { b: number }).b, 2);
  });

  it('loses our table with those below it, and keeps the comment in front of the next one', () => {
    const text = `a = 1\n\n${OURS}\n[mcp_servers.ltm.tools.memory_store]\napproval_mode = "approve"\n\n# of the next\n[next]\nb = 2\n`;
    assert.equal(removeTomlTable(text, TABLE), 'a = 1\n\n# of the next\n[next]\nb = 2\n');
  });

  it('is refused where it is no TOML, or where our table is written in another form', () => {
    for (const text of [
      'a = ',
      '[x',
      'mcp_servers = { other = { command = "x" } }\n',
      'mcp_servers.ltm.command = "x"\n',
      '[mcp_servers]\nltm = { command = "x" }\n',
    ])
      assert.throws(() => setTomlTable(text, TABLE, ENTRY), /was left as it is/, text);
  });
});
