import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Agent, Place, Wiring } from '../../agents/agent.ts';
import { AGENTS } from '../../agents/agents.ts';
import { realFile } from '../../agents/edits/write-file.ts';
import { applyPlans, undoSetup } from './apply-setup.ts';
import { planAgent } from './plan-setup.ts';

const WIRING: Wiring = {
  program: { command: 'ltm', args: [] },
  hook: { command: 'ltm-hook', args: [] },
  env: {},
  platform: 'linux',
};

let root: string;
let place: Place;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ltm-broken-'));
  place = { env: {}, home: join(root, 'home'), platform: 'linux' };
  mkdirSync(place.home);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const keeping = () => ({ folder: join(root, 'data', 'setup'), now: new Date() });

function setUp(agents: readonly Agent[]) {
  const plans = agents.map((agent) => planAgent(agent, place, WIRING));
  return { plans, ...applyPlans(plans, keeping()) };
}

function undo(only?: readonly string[]) {
  const more = only === undefined ? {} : { only: new Set(only) };
  return undoSetup({ folder: keeping().folder, agents: AGENTS, place, wiring: WIRING, ...more });
}

/** Everything below the home: texts, and of what is no file what it is. */
function snapshot(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(place.home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const rights = lstatSync(path).mode.toString(8);
    const content = entry.isFile() ? readFileSync(path, 'latin1') : entry.isSymbolicLink() ? readlinkSync(path) : '';
    found[relative(place.home, path)] = `${rights} ${content}`;
  }
  return found;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function start(): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(place.home, { recursive: true });
}

const agentNamed = (name: string): Agent => AGENTS.find((agent) => agent.name === name)!;

/** The files of an agent that it shares with others, each with the text that set-up gives it where there is none. */
function sharedFiles(agent: Agent): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { path, write } of agent.edits(place, WIRING)) texts.set(path, write(texts.get(path) ?? ''));
  return new Map([...texts].filter(([, text]) => text !== '' && !text.includes('Written by')));
}

type Json = Record<string, unknown>;

/** The same with something else in the place of everything that set-up would write into, and what it is called. */
function wrongJson(text: string): { text: string; at: string }[] {
  const whole = JSON.parse(text) as Json;
  const places = Object.entries(whole)
    .filter(([, value]) => typeof value === 'object')
    .flatMap(([key, value]) => [
      [key],
      ...Object.keys(value as Json)
        .slice(0, 2)
        .map((inner) => [key, inner]),
    ]);
  return [[], ...places].flatMap((path) => {
    const isList = path[0] === 'hooks' && path.length === 2;
    const wrong = ['x', 5, ...(isList ? [{}, { a: 1 }] : [[], [{ hooks: 'x' }]])];
    return wrong.map((value) => ({
      text: `${JSON.stringify(
        path.reduceRight<unknown>((inner, key) => ({ keep: 1, [key]: inner }), value),
        null,
        2,
      )}\n`,
      at: path.join('.'),
    }));
  });
}

const WRONG_TOML = [
  'mcp_servers = "x"\n',
  'mcp_servers = 5\n',
  'mcp_servers = []\n',
  'mcp_servers = 2024-01-01\n',
  '[[mcp_servers]]\na = 1\n',
  '[mcp_servers]\nltm = "x"\n',
  'mcp_servers.ltm = ["ltm", "mcp"]\n',
  '[[mcp_servers.ltm]]\ncommand = "ltm"\nargs = ["mcp"]\n',
];

const WRONG_YAML = [
  'extensions: x\n',
  'extensions: 5\n',
  'extensions: [a]\n',
  'extensions:\n  - ltm\n',
  'extensions:\n- ltm\n',
  'extensions:\n  ltm: x\n',
  'extensions:\n  ltm: [a]\n',
  '- a\n- b\n',
  'only a sentence\n',
  '"only a text"\n',
  '{ "extensions": {} }\n',
  '[a, b]\n',
  'a: {\n}\n',
];

function wrongTexts(path: string, text: string): { text: string; at: string }[] {
  const texts = path.endsWith('.toml') ? WRONG_TOML : path.endsWith('.yaml') ? WRONG_YAML : null;
  return texts?.map((one) => ({ text: one, at: '' })) ?? wrongJson(text);
}

describe('files of agents that are not as set-up expects them', () => {
  for (const agent of AGENTS)
    it(`are reported and left alone where they have another shape: ${agent.name}`, () => {
      const other = agentNamed(agent.name === 'junie' ? 'continue' : 'junie');
      for (const [path, text] of sharedFiles(agent))
        for (const wrong of wrongTexts(path, text)) {
          start();
          put(path, wrong.text);
          const before = snapshot();
          const { plans, applied, problems } = setUp([agent, other]);
          const problem = plans[0]!.problem!;
          assert.ok(problem?.message.includes(path), `${wrong.text} ${problem?.message}`);
          assert.ok(problem.message.includes(wrong.at), problem.message);
          assert.match(problem.message, /left as it is/);
          assert.match(problem.hint ?? '', /run the command again|by hand/);
          assert.deepEqual([problems, applied.map((one) => one.agent)], [[], [other.name]]);
          undo();
          assert.deepEqual(snapshot(), before, wrong.text);
          rmSync(keeping().folder, { recursive: true });
          undo();
          assert.deepEqual(snapshot(), before, `${wrong.text} undone without a journal`);
        }
    });

  it('take null for nothing, and get it back', () => {
    for (const text of [
      '{"hooks":null,"mcpServers":null}',
      '{"hooks":{"PostToolUse":null},"mcpServers":{"ltm":null}}',
    ]) {
      start();
      for (const name of ['.claude.json', '.claude/settings.json']) put(join(place.home, name), text);
      const before = snapshot();
      const { plans, applied } = setUp([agentNamed('claude-code')]);
      assert.equal(plans[0]!.problem, null);
      assert.equal(applied.length, 2);
      undo();
      assert.deepEqual(snapshot(), before);
    }
  });

  it('are left alone by an undo where nothing in them is of ltm, with a journal and without', () => {
    const files = {
      '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[],"mine":[]}}',
      '.cursor/mcp.json': '{"mcpServers":{}}',
      '.claude.json': '{"mcpServers":{"ltm":{"type":"http","url":"https://example.com/mcp"}}}',
      '.gemini/settings.json': '{}',
      '.codex/config.toml': '[mcp_servers.ltm]\nurl = "https://example.com/mcp"\n',
      '.config/goose/config.yaml': 'extensions:\n  ltm:\n    type: sse\n    uri: https://example.com/sse\n',
    };
    for (const [name, text] of Object.entries(files)) put(join(place.home, name), text);
    const before = snapshot();
    undo();
    assert.deepEqual(snapshot(), before);
    setUp([agentNamed('junie')]);
    undo();
    assert.deepEqual(snapshot(), before);
  });

  it('lose no list that is empty because somebody else left it so', () => {
    const path = join(place.home, '.cursor', 'hooks.json');
    setUp([agentNamed('cursor')]);
    const content = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...content, hooks: { ...content.hooks, mine: [] }, theirs: {} }));
    undo();
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { hooks: { mine: [] }, theirs: {}, version: 1 });
  });

  const odd: Record<string, (path: string) => void> = {
    'a pipe': (path) => assert.equal(spawnSync('mkfifo', [path]).status, 0),
    'a link to a pipe': (path) => {
      spawnSync('mkfifo', [join(root, 'pipe')]);
      symlinkSync(join(root, 'pipe'), path);
    },
    'a link to a device': (path) => symlinkSync('/dev/zero', path),
    'a folder': (path) => mkdirSync(path),
    'a link in a circle': (path) => symlinkSync(path, path),
    'a link below a file': (path) => {
      put(join(root, 'file'), 'x');
      symlinkSync(join(root, 'file', 'settings.json'), path);
    },
  };
  for (const [what, make] of Object.entries(odd))
    it(`are reported, and hold nothing up, where ${what} lies in their place`, {
      skip: process.platform === 'win32',
    }, () => {
      for (const agent of ['claude-code', 'codex', 'opencode', 'goose', 'continue'].map(agentNamed)) {
        const other = agentNamed('junie');
        start();
        for (const path of new Set(agent.edits(place, WIRING).map((edit) => edit.path))) {
          start();
          mkdirSync(dirname(path), { recursive: true });
          make(path);
          const before = snapshot();
          const { plans, problems, applied } = setUp([agent, other]);
          const problem = plans[0]!.problem ?? problems[0]!.problem;
          assert.ok(problem.message.includes(path), problem.message);
          assert.ok(applied.some((one) => one.agent === other.name));
          undo();
          assert.deepEqual(snapshot(), before);
          rmSync(keeping().folder, { recursive: true });
          assert.ok(undo().problems.every((one) => one.problem.message.includes(path)));
          assert.deepEqual(snapshot(), before);
        }
      }
    });

  it('are made with folders that all go again, whoever of several agents is undone first', () => {
    setUp(AGENTS);
    assert.ok(existsSync(join(place.home, '.config')));
    undo(['goose', 'claude-desktop']);
    undo(['zed']);
    undo();
    assert.deepEqual(snapshot(), {});
    assert.deepEqual(readdirSync(keeping().folder), ['setup.json']);
  });

  it('come back byte for byte where a set-up was killed before it wrote, or could not write', () => {
    const path = realFile(join(place.home, '.claude.json'));
    put(path, '{ "a":1 }');
    const before = snapshot();
    const [plan] = [planAgent(agentNamed('claude-code'), place, WIRING)];
    setUp([agentNamed('claude-code')]);
    writeFileSync(path, '{ "a":1 }');
    setUp([plan!.agent]);
    undo();
    assert.deepEqual(snapshot(), before);
  });
});
