import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Place, Wiring } from '../../agents/agent.ts';
import { describeService } from './service.ts';

const wiring: Wiring = {
  program: { command: '/opt/my node/node', args: ['/opt/ltm/bin/ltm.js'] },
  hook: null,
  env: { LTM_DB: '/a & "b" 100%' },
  platform: 'linux',
};
const placeOn = (platform: NodeJS.Platform): Place => ({ env: {}, home: '/home/me', platform });
const fileOn = (platform: NodeJS.Platform) => {
  const { agent, ...service } = describeService(placeOn(platform), { logFile: '/logs/l.log', dataFolder: '/data' });
  const [edit] = agent.edits(placeOn(platform), wiring);
  return { ...service, path: edit!.path, text: edit!.write('') };
};

describe('the service of each platform', () => {
  it('is a systemd user unit, with every word quoted as systemd reads it', () => {
    const { path, text } = fileOn('linux');
    assert.equal(path, join('/home/me', '.config', 'systemd', 'user', 'ltm.service'));
    assert.match(
      text,
      /^ExecStart="\/opt\/my node\/node" "\/opt\/ltm\/bin\/ltm\.js" "serve" "--log-file" "\/logs\/l\.log"$/m,
    );
    assert.match(text, /^Environment="LTM_DB=\/a & \\"b\\" 100%%"$/m);
  });

  it('is a launchd agent, with every word escaped', () => {
    const { path, text, start } = fileOn('darwin');
    assert.equal(path, join('/home/me', 'Library', 'LaunchAgents', 'ltm.serve.plist'));
    assert.match(
      text,
      /<array><string>\/opt\/my node\/node<\/string><string>\/opt\/ltm\/bin\/ltm\.js<\/string><string>serve<\/string>/,
    );
    assert.match(text, /<key>LTM_DB<\/key><string>\/a &amp; &quot;b&quot; 100%<\/string>/);
    assert.deepEqual(start[0]!.slice(0, 2), ['launchctl', 'bootstrap']);
  });

  it('is a task of the Task Scheduler that nothing stops', () => {
    const { path, text, start } = fileOn('win32');
    assert.equal(path, join('/data', 'setup', 'task.xml'));
    assert.match(text, /<Command>\/opt\/my node\/node<\/Command><Arguments>\/opt\/ltm\/bin\/ltm\.js serve --log-file/);
    assert.match(text, /<ExecutionTimeLimit>PT0S<\/ExecutionTimeLimit>/);
    assert.deepEqual(start[0], ['schtasks', '/Create', '/TN', 'ltm', '/XML', path, '/F']);
  });
});
