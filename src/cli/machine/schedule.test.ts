import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { describeSchedule, type Job, type Manager, usualManager } from './schedule.ts';

const DAILY: Job = {
  name: 'ltm-backup',
  title: 'Backup',
  words: ['/usr/bin/node', '/opt/it is/ltm.js', 'backup', 'create', '--to', '/mnt/100 % safe'],
  env: { LTM_DB: '/data/memory.db' },
  when: { hour: 3, minute: 5 },
};
const OFTEN: Job = { ...DAILY, name: 'ltm-sync', when: { everyMinutes: 30 } };

function describe(manager: Manager, job: Job) {
  return describeSchedule(manager, job, {
    place: { env: {}, home: '/home/ann', platform: 'linux' },
    dataFolder: '/home/ann/.local/share/ltm',
  });
}

test('each system has its own scheduler', () => {
  assert.deepEqual(
    [
      usualManager('darwin', false),
      usualManager('win32', false),
      usualManager('linux', true),
      usualManager('linux', false),
    ],
    ['launchd', 'task-scheduler', 'systemd', 'cron'],
  );
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
const NO_SYSTEMD = analyze ? false : 'systemd-analyze is not installed';
test('systemd finds nothing wrong with its units and its times', { skip: NO_SYSTEMD }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-units-'));
  try {
    for (const job of [DAILY, OFTEN]) {
      // a program that is there, whatever machine this is
      const words = [process.execPath, ...job.words.slice(1)];
      const { files, start } = describe('systemd', { ...job, words });
      for (const { path, content } of files) writeFileSync(join(folder, basename(path)), content);
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--user', ...files.map(({ path }) => join(folder, basename(path)))],
        { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: folder } },
      );
      const ours = stderr.split('\n').filter((line) => line.includes(job.name));
      assert.deepEqual([status, ours], [0, []]);
      assert.deepEqual(start.at(-1), ['systemctl', '--user', 'enable', '--now', `${job.name}.timer`]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  assert.match(describe('systemd', DAILY).files[1]!.content, /^OnCalendar=\*-\*-\* 03:05:00$/m);
  assert.match(describe('systemd', OFTEN).files[1]!.content, /^OnUnitActiveSec=30min$/m);
});

test('launchd and Task Scheduler are told when, in their words', () => {
  assert.match(describe('launchd', DAILY).files[0]!.content, /<key>Hour<\/key><integer>3<\/integer>/);
  assert.match(describe('launchd', OFTEN).files[0]!.content, /<key>StartInterval<\/key><integer>1800<\/integer>/);
  assert.match(describe('task-scheduler', DAILY).files[0]!.content, /T03:05:00<\/StartBoundary><ScheduleByDay>/);
  assert.match(describe('task-scheduler', OFTEN).files[0]!.content, /<Interval>PT30M<\/Interval>/);
  assert.match(describe('task-scheduler', DAILY).files[0]!.content, /&quot;\/opt\/it is\/ltm.js&quot;/);
});

test('a line of cron is quoted for the shell and for cron, and replaces the one before it', () => {
  const { editTable } = describe('cron', DAILY);
  const once = editTable!('MAILTO=me\n', true);
  assert.equal(
    once,
    "MAILTO=me\n5 3 * * * LTM_DB=/data/memory.db /usr/bin/node '/opt/it is/ltm.js' backup create --to '/mnt/100 \\% safe' >/dev/null 2>&1 # ltm-backup: Written by ltm.\n",
  );
  assert.equal(editTable!(once, true), once);
  assert.equal(editTable!(once, false), 'MAILTO=me\n');
  assert.match(describe('cron', OFTEN).editTable!('', true), /^\*\/30 \* \* \* \* /);
});
