import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPrograms } from './find-program.ts';

const at = (script: string, env = {}, platform: NodeJS.Platform = 'linux') => ({
  node: '/n/node',
  script,
  env,
  platform,
});

describe('how agents start the program', () => {
  it('is by whole paths where no shell finds it', () => {
    const { short, whole, isPassing } = findPrograms(at('/opt/ltm/bin/ltm.js', { PATH: '/nowhere' }), '1.2.3');
    assert.deepEqual(whole.program, { command: '/n/node', args: ['/opt/ltm/bin/ltm.js'] });
    assert.deepEqual(whole.hook, { command: '/n/node', args: ['/opt/ltm/bin/ltm-hook.js'] });
    assert.deepEqual([short, isPassing], [whole, false]);
  });

  it('is by npx with this version where npx has run it, and then there is no hook', () => {
    const { short, whole, isPassing } = findPrograms(
      at('/home/me/.npm/_npx/1a2b/node_modules/ltm/bin/ltm.js'),
      '1.2.3',
    );
    assert.deepEqual(short, { program: { command: 'npx', args: ['-y', 'ltm@1.2.3'] }, hook: null });
    assert.deepEqual([whole, isPassing], [short, true]);
  });
});
