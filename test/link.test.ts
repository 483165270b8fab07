import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

describe('npm run link', { skip: process.platform === 'win32' && 'launchers for a Unix shell' }, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ltm-link-it's "));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const link = (words: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts', 'link.js'), ...words], {
      env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
      encoding: 'utf8',
    });

  it("puts ltm on the PATH, run by the clone's own Node whatever the host has", () => {
    const bin = join(folder, '.local', 'bin');
    mkdirSync(bin, { recursive: true });
    const { status, stdout, stderr } = link([], { PATH: `${bin}:/usr/bin:/bin` });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /starts ltm version/);
    assert.match(stdout, /Next: ltm setup/);
    // No Node on the PATH at all.
    const { stdout: said } = spawnSync('ltm', ['version'], { env: { PATH: bin, HOME: folder }, encoding: 'utf8' });
    assert.match(said, /^ltm version/);
  });

  it('makes one word of it in the configuration of agents', () => {
    const bin = join(folder, 'bin');
    link(['--to', bin]);
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder };
    spawnSync('ltm', ['setup', '--agents', 'claude-code', '--yes'], { env });
    const { mcpServers } = JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8'));
    assert.deepEqual([mcpServers.ltm.command, mcpServers.ltm.args], ['ltm', ['mcp']]);
    assert.match(readFileSync(join(folder, '.claude', 'settings.json'), 'utf8'), /"ltm-hook --agent claude-code"/);
  });

  it('says how the folder gets on the PATH, and is taken back by npm run unlink', () => {
    const bin = join(folder, 'bin');
    assert.match(link(['--to', bin]).stdout, /not on your PATH yet: export PATH=/);
    assert.match(link(['--undo', '--to', bin]).stdout, /Removed .*ltm\nRemoved .*ltm-hook/);
    assert.deepEqual([existsSync(join(bin, 'ltm')), existsSync(join(bin, 'ltm-hook'))], [false, false]);
    assert.match(link(['--undo', '--to', bin]).stdout, /nothing to remove/);
  });

  it('leaves a program of another kind alone', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ltm'), 'something else');
    const { status, stderr } = link(['--to', bin]);
    assert.equal(status, 1);
    assert.match(stderr, /is there already/);
    assert.equal(readFileSync(join(bin, 'ltm'), 'utf8'), 'something else');
    link(['--undo', '--to', bin]);
    assert.ok(existsSync(join(bin, 'ltm')));
  });
});
