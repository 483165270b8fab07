import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse as parseToml } from 'smol-toml';

const ROOT = dirname(import.meta.dirname);
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const NAMES = ['context', 'handover', 'recall', 'remember', 'timeline'];
/** Where the agents themselves are installed; without them their validators are not run. */
const CLIENTS = process.env.LTM_CLIENTS;

describe('the packages for agents', () => {
  it('are what the table of agents and the version say', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts', 'write-integrations.ts'), '--check'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stderr);
  });

  it('have the same five commands each', () => {
    const found = (pattern: string, name: RegExp) =>
      globSync(pattern, { cwd: ROOT })
        .map((path) => name.exec(path)![1])
        .sort();
    assert.deepEqual(found('integrations/claude-code/commands/*.md', /(\w+)\.md$/), NAMES);
    assert.deepEqual(found('integrations/codex/skills/*/SKILL.md', /(\w+).SKILL\.md$/), NAMES);
    assert.deepEqual(found('integrations/gemini/commands/ltm/*.toml', /(\w+)\.toml$/), NAMES);
    for (const name of NAMES) {
      const { prompt } = parseToml(
        readFileSync(join(ROOT, 'integrations/gemini/commands/ltm', `${name}.toml`), 'utf8'),
      );
      assert.match(String(prompt), /\{\{args\}\}/);
    }
  });

  it('run nothing but ltm and ltm-hook, each naming its agent', () => {
    for (const agent of ['claude-code', 'codex', 'gemini']) {
      const text = readFileSync(join(ROOT, 'integrations', agent, 'hooks', 'hooks.json'), 'utf8');
      const commands = [...text.matchAll(/"command": "([^"]+)"/g)].map(([, command]) => command);
      assert.ok(commands.length >= 6);
      assert.deepEqual(new Set(commands), new Set([`ltm-hook --agent ${agent}`]));
    }
  });

  it('fit the rules of the MCP registry', () => {
    const { name, description, version, packages } = read('server.json');
    const { mcpName, name: npmName, version: own } = read('package.json');
    assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.equal(mcpName, name);
    assert.ok(description.length <= 100);
    assert.equal(version, own);
    const allowed = [
      'registryType',
      'identifier',
      'version',
      'runtimeHint',
      'transport',
      'packageArguments',
      'environmentVariables',
    ];
    for (const one of packages) {
      assert.deepEqual(
        Object.keys(one).filter((key) => !allowed.includes(key)),
        [],
      );
      assert.deepEqual([one.identifier, one.version, one.transport.type], [npmName, own, 'stdio']);
    }
  });

  it('pass the validators of the agents', {
    skip: CLIENTS === undefined && 'LTM_CLIENTS does not name installed agents',
  }, () => {
    const bin = join(CLIENTS!, 'node_modules', '.bin');
    const run = (command: string, ...words: string[]) => {
      if (!existsSync(join(bin, command))) return;
      const { status, stdout, stderr } = spawnSync(join(bin, command), words, {
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${command} ${words.join(' ')}: ${stdout}${stderr}`);
    };
    run('claude', 'plugin', 'validate', ROOT);
    run('claude', 'plugin', 'validate', join(ROOT, 'integrations', 'claude-code'), '--strict');
    run('gemini', 'extensions', 'validate', join(ROOT, 'integrations', 'gemini'));
  });
});
