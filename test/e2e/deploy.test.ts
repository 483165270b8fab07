import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeCertificate } from '../oauth/make-certificate.ts';
import { runLtm } from './packet-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { missingProxy } from './real-proxy.ts';
import { makeServeFolder, startServe } from './serve-process.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const missingTool = (program: string): string | false =>
  spawnSync(program, ['--version']).status === 0
    ? false
    : `${program} is not installed here; scripts/install-test-tools.sh installs it.`;
const LINUX = process.platform === 'linux' ? false : 'the installer is for Linux';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-deploy-'));
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What npm installs in place of a release: the program of this clone. */
function makePackage(works: boolean): string {
  const place = join(folder, works ? 'works' : 'broken');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'ltm', version: '9.9.9', bin: { ltm: 'ltm.sh' } }));
  writeFileSync(
    join(place, 'ltm.sh'),
    works ? `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n` : '#!/bin/sh\nexit 1\n',
  );
  chmodSync(join(place, 'ltm.sh'), 0o755);
  return place;
}

function install(root: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('bash', [join(DEPLOY, 'install.sh'), '--root', root, ...args], {
    encoding: 'utf8',
    env: { ...PLAIN_ENV, HOME: folder },
  });
  return { status, stdout, stderr };
}

describe('F36: deploy/install.sh', { skip: LINUX }, () => {
  const ARGS = ['--domain', 'memory.example.org', '--proxy', 'nginx', '--memory', '768M', '--workspaces'];
  let root: string;
  before(() => {
    root = join(folder, 'root');
  });

  test('shows what it would do, and does nothing', () => {
    const { status, stdout, stderr } = install(root, ...ARGS, '--package', makePackage(true), '--dry-run');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /would run: npm install[\s\S]*writes .*ltm\.service/);
    assert.equal(existsSync(root), false);
  });

  test('installs program, units, settings, proxy and jail, and says so once', () => {
    const first = install(root, ...ARGS, '--package', makePackage(true));
    assert.equal(first.status, 0, first.stderr);
    const settings = readFileSync(join(root, 'etc/ltm/ltm.env'), 'utf8');
    assert.equal(statSync(join(root, 'etc/ltm/ltm.env')).mode & 0o777, 0o600);
    const [mcp, sync] = ['MCP_TOKEN', 'SYNC_TOKEN'].map(
      (name) => new RegExp(`^${name}=([0-9a-f]{64})$`, 'm').exec(settings)?.[1],
    );
    assert.ok(mcp !== undefined && sync !== undefined && mcp !== sync);
    const unit = readFileSync(join(root, 'etc/systemd/system/ltm.service'), 'utf8');
    assert.match(unit, /^MemoryHigh=688128K\nMemoryMax=768M$/m);
    const second = install(root, '--package', makePackage(true), '--memory', '1G');
    assert.equal(second.status, 0, second.stderr);
    assert.equal(readFileSync(join(root, 'etc/ltm/ltm.env'), 'utf8'), settings);
    assert.deepEqual(second.stdout.match(/^(?:writes|changes) .*/gm), [
      `changes ${root}/etc/ltm/install.conf`,
      `changes ${root}/etc/systemd/system/ltm.service`,
    ]);
    const elsewhere = install(root, '--package', makePackage(true), '--port', '9999');
    assert.equal(elsewhere.status, 2);
    assert.match(elsewhere.stderr, /LTM_PORT/);
    assert.equal(
      execFileSync(join(root, 'opt/ltm/current/node_modules/.bin/ltm'), ['version'], { encoding: 'utf8' }).trim() !==
        '',
      true,
    );
  });

  test('leaves everything as it is when the new release does not run, and goes back when told to', () => {
    const now = readlinkSync(join(root, 'opt/ltm/current'));
    const broken = install(root, ...ARGS, '--package', makePackage(false));
    assert.equal(broken.status, 1);
    assert.match(broken.stderr, /does not run/);
    assert.equal(readlinkSync(join(root, 'opt/ltm/current')), now);
    assert.equal(readdirSync(join(root, 'opt/ltm/releases')).length, 2);
    const back = install(root, '--rollback');
    assert.equal(back.status, 0, back.stderr);
    assert.notEqual(readlinkSync(join(root, 'opt/ltm/current')), now);
    assert.match(install(root, '--rollback').stderr, /no earlier release/);
  });

  test('tells wrong words before it does anything', () => {
    const empty = join(folder, 'empty');
    for (const [args, told] of [
      [['--what'], /does not know --what/],
      [['--domain'], /--domain needs a value/],
      [[], /--domain/],
      [['--domain', 'x; rm -rf /'], /name of a host/],
      [['--proxy', 'apache', '--domain', 'a.b'], /caddy, nginx or none/],
      [['--proxy', 'none', '--memory', 'lots'], /--memory/],
    ] as const) {
      const { status, stderr } = install(empty, ...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, told);
    }
    assert.equal(existsSync(empty), false);
  });

  test('shellcheck finds nothing in it', { skip: missingTool('shellcheck') }, () => {
    const { status, stdout } = spawnSync('shellcheck', [join(DEPLOY, 'install.sh')], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  test('nginx reads what it writes', { skip: missingProxy('nginx') }, () => {
    const { cert, key } = makeCertificate();
    const place = mkdtempSync(join(folder, 'nginx-'));
    writeFileSync(join(place, 'cert.pem'), cert);
    writeFileSync(join(place, 'key.pem'), key);
    const conf = readFileSync(join(root, 'etc/nginx/conf.d/ltm.conf'), 'utf8')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${place}/cert.pem;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${place}/key.pem;`);
    writeFileSync(join(place, 'nginx.conf'), `pid ${place}/pid;\nevents {}\nhttp {\naccess_log off;\n${conf}\n}\n`);
    const { status, stderr } = spawnSync(
      '/usr/sbin/nginx',
      ['-t', '-p', place, '-e', 'stderr', '-c', join(place, 'nginx.conf')],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
  });

  test('systemd finds nothing wrong with the units', { skip: missingTool('systemd-analyze') }, () => {
    const place = mkdtempSync(join(folder, 'units-'));
    const paths = ['ltm.service', 'ltm-backup.service', 'ltm-backup.timer'].map((name) => {
      const text = readFileSync(join(root, 'etc/systemd/system', name), 'utf8');
      // a program, a user and a file of settings that are there
      const here = text
        .replaceAll('/opt/ltm/current/node_modules/.bin/ltm', process.execPath)
        .replaceAll(/^(User|Group)=ltm$/gm, '$1=root');
      writeFileSync(join(place, name), here);
      return join(place, name);
    });
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.includes('ltm')),
      [],
    );
  });
});

test('F36: the jail sees addresses that try tokens, and nobody who has none yet', {
  skip: missingTool('fail2ban-regex'),
}, async () => {
  const home = makeServeFolder(null);
  const log = join(home, 'ltm.log');
  const served = await startServe(home, ['--log-file', log, '--log-level', 'warn']);
  try {
    for (const token of ['wrong', 'ltm_wrong', ''])
      await fetch(`${served.url}/api/v1/memories`, {
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      });
  } finally {
    await served.stop();
  }
  const { stdout } = spawnSync('fail2ban-regex', [log, join(DEPLOY, 'fail2ban', 'filter.conf')], { encoding: 'utf8' });
  assert.match(stdout, /Lines: 3 lines, 0 ignored, 2 matched, 1 missed/, stdout);
  rmSync(home, { recursive: true, force: true });
});

test('F36: what the nightly unit runs makes a backup and removes what is older than two weeks', async () => {
  const home = mkdtempSync(join(folder, 'night-'));
  const unit = readFileSync(join(DEPLOY, 'ltm-backup.service'), 'utf8');
  const words = /^ExecStart=\/usr\/bin\/env ltm (.*)$/m.exec(unit)![1]!.split(' ');
  const backups = join(home, 'nightly');
  const db = join(home, 'memory.db');
  const named = /LTM_BACKUP_KEEP_DAYS=(\d+)/.exec(unit)!;
  const env = { LTM_BACKUP_DIR: backups, LTM_BACKUP_KEEP_DAYS: named[1]! };
  const night = async (): Promise<void> => {
    assert.equal((await runLtm(home, [...words, '--db', db], { env })).code, 0);
  };
  await runLtm(home, ['store', 'The harbour opens at six', '--db', db]);
  await night();
  await night();
  const listed = async () =>
    JSON.parse((await runLtm(home, ['backup', 'list', '--to', backups, '--json', '--db', db])).stdout).backups;
  const [, older] = (await listed()) as { path: string }[];
  const facts = JSON.parse(readFileSync(`${older!.path}.json`, 'utf8'));
  writeFileSync(`${older!.path}.json`, JSON.stringify({ ...facts, createdAt: '2020-01-01T00:00:00.000Z' }));
  utimesSync(older!.path, 0, 0);
  await night();
  const left = ((await listed()) as { path: string }[]).map(({ path }) => path);
  assert.equal(left.length, 2);
  assert.ok(!left.includes(older!.path) && !existsSync(older!.path));
});
