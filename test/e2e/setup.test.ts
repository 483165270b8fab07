import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { PLAIN_ENV, PROGRAM } from './program.ts';

/** As people have them: comments, odd spacing, Windows line ends, a byte order mark, hooks of others and of the system that ltm takes over. */
const FILES: Record<string, string> = {
  '.claude.json':
    '{\n  "numStartups": 12,\n  "mcpServers": {\n    "other": { "type": "http", "url": "https://example.com/mcp" }\n  },\n  "projects": { "/a": { "hasTrustDialogAccepted": true } }\n}\n',
  'dotfiles/claude-settings.json':
    '{\n  // what I like\n  "model" :  "opus",\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Edit", "hooks": [ { "type": "command", "command": "prettier --write" } ] }, // keep\n      { "matcher": "", "hooks": [ { "type": "command", "command": "$HOME/.longmem/bin/longmem-hook post-tool" } ] }\n    ],\n    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" }, { "type": "command", "command": "longmem-hook stop" } ] } ],\n  },\n  "mcpServers": { "longmem": { "command": "longmem-mcp" }, "mine": { "command": "x" } },\n}\n',
  '.codex/config.toml':
    '# top\r\nmodel = "gpt"   # spaced\r\n\r\n[mcp_servers.other]\r\ncommand = "a"\r\nargs = [\r\n  "[mcp_servers.ltm]",\r\n]\r\n\r\n[profiles.x]\r\nmodel = "y"',
  '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}',
  '.gemini/settings.json': '\uFEFF{\r\n\t"theme": "dark", /* mine */\r\n}',
  '.config/opencode/opencode.jsonc':
    '{\n    "$schema": "https://opencode.ai/config.json",\n    "plugin": ["./mine.js", "/home/x/.longmem/plugin.js"],\n    // none yet\n    "mcp": {}\n}',
  '.config/goose/config.yaml': 'GOOSE_MODEL: x # c\nextensions:\n  developer:\n    enabled: true\n\n# end\nOTHER: 1\n',
  '.cursor/mcp.json': '{}\n',
  '.config/zed/settings.json':
    '// Zed settings\n{\n  "theme": "One", // dark\n  "context_servers": {\n    "x": { "command": "y" },\n  },\n}\n',
  '.config/Code/User/mcp.json': '{\n\t"servers": {},\n\t"inputs": []\n}\n',
  '.config/Claude/claude_desktop_config.json': '',
  '.continue/config.yaml': 'name: mine\n',
  '.copilot/config.json': '{}',
  '.codeium/windsurf/mcp_config.json': '{"mcpServers":{"a":{"command":"b"}}}',
};
const NAMES = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot-cli',
  'goose',
  'cursor',
  'vscode',
  'windsurf',
  'zed',
  'claude-desktop',
  'continue',
];

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ltm-setup-'));
  for (const [name, text] of Object.entries(FILES)) put(name, text);
  mkdirSync(join(home, '.claude'));
  symlinkSync('../dotfiles/claude-settings.json', join(home, '.claude', 'settings.json'));
  chmodSync(join(home, '.claude.json'), 0o640);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

function text(name: string): string {
  return readFileSync(join(home, name), 'utf8');
}

interface Answer {
  agents: {
    name: string;
    found: boolean;
    files: { path: string; change: string }[];
    problem: { message: string } | null;
    wants: string[];
  }[];
  applied: { path: string; backup: string | null }[];
  undone: { path: string; how: string }[];
}

function setup(...words: string[]): { code: number | null; answer: Answer; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'setup', '--json', ...words], {
    env: { ...PLAIN_ENV, PATH: dirname(process.execPath), HOME: home },
    encoding: 'utf8',
  });
  return { code: status, answer: JSON.parse(stdout || '{}'), stderr };
}

/** Every file, link and folder below the home, with content and rights. */
function snapshot(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const rights = (lstatSync(path).mode & 0o777).toString(8);
    found[relative(home, path)] = entry.isFile() ? `${rights} ${readFileSync(path, 'latin1')}` : rights;
  }
  return found;
}

describe('ltm setup', () => {
  it('finds the agents of this machine and registers the server and the hooks, and nobody else notices', () => {
    const { code, answer, stderr } = setup('--yes');
    assert.equal(code, 0, stderr);
    assert.deepEqual(answer.agents.map(({ name }) => name).sort(), [...NAMES].sort());
    const claude = JSON.parse(text('.claude.json'));
    assert.deepEqual(claude.mcpServers.ltm, { type: 'stdio', command: process.execPath, args: [PROGRAM, 'mcp'] });
    assert.deepEqual(claude.mcpServers.other, { type: 'http', url: 'https://example.com/mcp' });
    assert.equal(claude.numStartups, 12);
    const codex = parseToml(text('.codex/config.toml')) as unknown as {
      mcp_servers: Record<string, { args: string[] }>;
    };
    assert.deepEqual(codex.mcp_servers.ltm?.args, [PROGRAM, 'mcp']);
    assert.deepEqual(codex.mcp_servers.other?.args, ['[mcp_servers.ltm]']);
    assert.deepEqual(parseYaml(text('.config/goose/config.yaml')).extensions.ltm.args, [PROGRAM, 'mcp']);
    for (const name of ['.codex/config.toml', '.gemini/settings.json']) assert.doesNotMatch(text(name), /[^\r]\n/);
    assert.match(text('.gemini/settings.json'), /^\uFEFF\{\r\n\t"theme": "dark", \/\* mine \*\/\r\n/);
    assert.match(text('.config/zed/settings.json'), /^\/\/ Zed settings\n\{\n {2}"theme": "One", \/\/ dark\n/);
    assert.match(text('.config/opencode/plugin/ltm.js'), /--agent","opencode/);
  });

  it('M40: keeps the hooks of others, and puts its own in the place of those it takes over', () => {
    setup('--yes', '--agents', 'claude-code,opencode');
    const settings = text('.claude/settings.json');
    assert.match(settings, /^\{\n {2}\/\/ what I like\n {2}"model" : {2}"opus",\n/);
    assert.match(settings, /"prettier --write" \} \] \}, \/\/ keep\n/);
    assert.match(settings, /"say done"/);
    assert.match(settings, /"mine": \{ "command": "x" \}/);
    assert.doesNotMatch(settings, /longmem/);
    assert.equal(settings.match(/ltm-hook\.js --agent claude-code/g)?.length, 8);
    assert.match(text('.config/opencode/opencode.jsonc'), /"plugin": \["\.\/mine\.js"\]/);
    assert.ok(lstatSync(join(home, '.claude', 'settings.json')).isSymbolicLink());
    assert.equal(statSync(join(home, '.claude.json')).mode & 0o777, 0o640);
  });

  it('changes nothing the second time', () => {
    setup('--yes');
    const first = snapshot();
    const { code, answer } = setup('--yes');
    assert.equal(code, 0);
    assert.deepEqual(answer.applied, []);
    assert.deepEqual(snapshot(), first);
  });

  it('writes nothing on a dry run, and nothing unasked', () => {
    const before = snapshot();
    const { code, answer } = setup('--dry-run');
    assert.equal(code, 0);
    assert.ok(answer.agents.every(({ files }) => files.some(({ change }) => change !== 'none')));
    assert.deepEqual(snapshot(), before);
    const unasked = setup();
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /--yes/);
    assert.deepEqual(snapshot(), before);
  });

  it('undoes everything byte for byte, and leaves no file or folder of its own', () => {
    const before = snapshot();
    setup('--yes', '--agents', 'claude-code');
    setup('--yes');
    assert.equal(setup('--undo', '--dry-run').answer.undone.length, 18);
    const { code } = setup('--undo', '--yes');
    assert.equal(code, 0);
    const after = snapshot();
    for (const name of Object.keys(after)) if (/^\.(local|cache)(\/|$)/.test(name)) delete after[name];
    assert.deepEqual(after, before);
    assert.equal(existsSync(join(home, '.local', 'share', 'ltm', 'setup', 'backups')), false);
  });

  it('keeps a copy of every file it changes, which only its owner can read', () => {
    const { answer } = setup('--yes', '--agents', 'claude-code');
    const backup = answer.applied.find(({ path }) => path.endsWith('.claude.json'))!.backup!;
    assert.match(backup, /\d{8}T\d{6}Z-[0-9a-f]{6}-\.claude\.json$/);
    assert.equal(readFileSync(backup, 'utf8'), FILES['.claude.json']);
    assert.equal(statSync(backup).mode & 0o777, 0o600);
  });

  it('takes out only what is its own where others have written since', () => {
    put('.claude.json', '{"mcpServers":{"ltm":{"type":"http","url":"http://old"}}}');
    setup('--yes');
    const claude = JSON.parse(text('.claude.json'));
    put('.claude.json', JSON.stringify({ ...claude, numStartups: 13 }, null, 2));
    put('.codex/config.toml', `${text('.codex/config.toml')}\n[later]\na = 1\n`);
    put('.cursor/hooks.json', text('.cursor/hooks.json').replace('"stop": [', '"stop": [ { "command": "mine" },'));
    put('.config/goose/config.yaml', `${text('.config/goose/config.yaml')}LATER: 1\n`);
    const { code, answer } = setup('--undo', '--yes');
    assert.equal(code, 0);
    assert.ok(answer.undone.some(({ how }) => how === 'cleared'));
    assert.deepEqual(JSON.parse(text('.claude.json')), {
      mcpServers: { ltm: { type: 'http', url: 'http://old' } },
      numStartups: 13,
    });
    assert.equal(text('.codex/config.toml'), `${FILES['.codex/config.toml']}\r\n\n[later]\na = 1\n`);
    assert.deepEqual(JSON.parse(text('.cursor/hooks.json')).hooks, { stop: [{ command: 'mine' }] });
    assert.equal(text('.config/goose/config.yaml'), `${FILES['.config/goose/config.yaml']}LATER: 1\n`);
    assert.equal(existsSync(join(home, '.config/opencode/plugin')), false);
  });

  it('leaves an entry alone that somebody made by hand, however often it is undone', () => {
    const byHand = '{"mcpServers":{"ltm":{"type":"stdio","command":"ltm","args":["mcp"]}}}';
    put('.claude.json', byHand);
    setup('--yes', '--agents', 'codex');
    for (let times = 0; times < 2; times++) assert.equal(setup('--undo', '--yes').code, 0);
    assert.equal(text('.claude.json'), byHand);
    assert.equal(text('.codex/config.toml'), FILES['.codex/config.toml']);
  });

  it('can be undone without its journal', () => {
    setup('--yes');
    rmSync(join(home, '.local'), { recursive: true });
    assert.equal(setup('--undo', '--yes').code, 0);
    const left = Object.entries(snapshot()).filter(([, content]) => /ltm-hook|bin\/ltm\.js/.test(content));
    assert.deepEqual(
      left.map(([name]) => name),
      [],
    );
  });

  it('leaves a file alone that is no JSON, says where, and goes on with the other agents', () => {
    put('.cursor/mcp.json', '{\n  "mcpServers": {\n    broken\n');
    const { code, answer } = setup('--yes', '--agents', 'cursor,gemini');
    assert.equal(code, 1);
    assert.match(
      answer.agents[0]!.problem!.message,
      /\.cursor\/mcp\.json is not valid JSON: line 3, column 5\. It was left as it is\./,
    );
    assert.equal(text('.cursor/mcp.json'), '{\n  "mcpServers": {\n    broken\n');
    assert.equal(existsSync(join(home, '.cursor', 'hooks.json')), false);
    assert.match(text('.gemini/settings.json'), /ltm-hook/);
  });

  it('registers the server alone with --no-hooks, and takes hooks away that were there', () => {
    setup('--yes', '--agents', 'cursor', '--no-hooks');
    assert.equal(existsSync(join(home, '.cursor', 'hooks.json')), false);
    assert.match(text('.cursor/mcp.json'), /"ltm"/);
    setup('--yes', '--agents', 'claude-code');
    setup('--yes', '--agents', 'claude-code', '--no-hooks');
    assert.doesNotMatch(text('.claude/settings.json'), /ltm-hook/);
    assert.match(text('.claude/settings.json'), /"say done"/);
    assert.match(text('.claude.json'), /"ltm"/);
  });

  it('sets up an agent by name that was not found, and knows no others', () => {
    rmSync(join(home, '.gemini'), { recursive: true });
    assert.equal(setup('--yes', '--agents', 'gemini').code, 0);
    assert.match(text('.gemini/settings.json'), /"AfterTool"/);
    const { code, stderr } = setup('--yes', '--agents', 'gemeni');
    assert.equal(code, 2);
    assert.match(stderr, /Did you mean "gemini"\?/);
  });

  it('writes the bare names where a shell finds this very program', () => {
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const real = dirname(PROGRAM);
    cpSync(process.execPath, join(bin, 'node'));
    for (const [name, file] of Object.entries({ ltm: 'ltm.js', 'ltm-hook': 'ltm-hook.js' })) {
      symlinkSync(join(real, file), join(bin, name));
    }
    spawnSync(process.execPath, [PROGRAM, 'setup', '--yes', '--agents', 'claude-code,cursor'], {
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home },
    });
    assert.deepEqual(JSON.parse(text('.claude.json')).mcpServers.ltm, { type: 'stdio', command: 'ltm', args: ['mcp'] });
    assert.match(text('.claude/settings.json'), /"command": "ltm-hook --agent claude-code"/);
    assert.equal(JSON.parse(text('.cursor/mcp.json')).mcpServers.ltm.command, process.execPath);
  });

  it('hands on the variables that the settings hang on', () => {
    const env = { PATH: dirname(process.execPath), HOME: home, LTM_DB: '/data/my "own".db' };
    spawnSync(process.execPath, [PROGRAM, 'setup', '--yes', '--agents', 'codex,claude-code'], { env });
    const codex = parseToml(text('.codex/config.toml')) as unknown as { mcp_servers: { ltm: { env: object } } };
    assert.deepEqual({ ...codex.mcp_servers.ltm.env }, { LTM_DB: '/data/my "own".db' });
    assert.deepEqual(JSON.parse(text('.claude.json')).mcpServers.ltm.env, { LTM_DB: '/data/my "own".db' });
  });

  it('lists the tools and gives context in the tags that people know who come from LongMem', () => {
    mkdirSync(join(home, '.longmem'));
    setup('--yes', '--agents', 'claude-code,opencode');
    assert.deepEqual(JSON.parse(text('.claude.json')).mcpServers.ltm.args.slice(1), [
      'mcp',
      '--tools',
      'core,observations',
    ]);
    assert.match(text('.config/opencode/plugin/ltm.js'), /"--tag","longmem-context"/);
    const [line] = /ltm-hook\.js --agent claude-code --tag longmem-context/.exec(text('.claude/settings.json'))!;
    const env = { PATH: dirname(process.execPath), HOME: home, LTM_CONTEXT_TIMEOUT_MS: '850' };
    const hook = (event: object) =>
      spawnSync(process.execPath, [join(dirname(PROGRAM), 'ltm-hook.js'), ...line.split(' ').slice(1)], {
        env,
        input: JSON.stringify({ session_id: 's1', cwd: home, ...event }),
        encoding: 'utf8',
      }).stdout;
    hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Which vault?' });
    hook({ hook_event_name: 'Stop', last_assistant_message: 'I decided to use the kumquat vault for deploys.' });
    spawnSync(process.execPath, [PROGRAM, 'store', 'makes the database'], { env });
    const server = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], { env, stdio: 'ignore' });
    try {
      const isUp = () =>
        JSON.parse(spawnSync(process.execPath, [PROGRAM, 'status', '--json'], { env, encoding: 'utf8' }).stdout).running
          ?.answers;
      for (let tries = 0; tries < 50 && isUp() !== true; tries++);
      // A hook on a busy machine may not be answered in time, and says nothing then: another session asks again.
      let answer = '';
      for (let tries = 0; tries < 30 && answer === ''; tries++)
        answer = hook({ hook_event_name: 'SessionStart', session_id: `later-${tries}` });
      assert.match(answer, /<longmem-context>.*kumquat.*<\/longmem-context>/);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('says what Codex and Gemini still want', () => {
    const { answer } = setup('--dry-run', '--agents', 'codex,gemini');
    const [codex, gemini] = answer.agents.map(({ wants }) => wants.join(' '));
    assert.match(codex!, /until you trust them/);
    assert.match(codex!, /asks before every tool that writes/);
    assert.match(gemini!, /folders you trust/);
  });
});
