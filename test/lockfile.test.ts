import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

interface Lockfile {
  lockfileVersion: number;
  packages: Record<string, { integrity?: string }>;
}

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'ltm-lockfile-'));
copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
after(() => rmSync(folder, { recursive: true }));

function check(where: string): { status: number | null; stderr: string } {
  const script = join(root, 'scripts', 'check-lockfile.js');
  return spawnSync(process.execPath, [script, where], { encoding: 'utf8' });
}

test('the lockfile says of every package, on every platform, what its content must be', () => {
  const { status, stderr } = check(root);
  assert.deepEqual([status, stderr], [0, '']);
});

test('a package without integrity, from elsewhere, with an unknown install script or missing on a platform is noticed', () => {
  const change = (facts: object) => (lock: Lockfile) => void Object.assign(lock.packages['node_modules/zod']!, facts);
  const breakages: [RegExp, (lock: Lockfile) => void][] = [
    [/zod has no integrity/, change({ integrity: undefined })],
    [/zod has no integrity/, change({ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' })],
    [/zod comes from http:/, change({ resolved: 'http://127.0.0.1:4873/zod.tgz' })],
    [/zod has an install script/, change({ hasInstallScript: true })],
    [/esbuild needs @esbuild\/darwin-arm64/, ({ packages }) => delete packages['node_modules/@esbuild/darwin-arm64']],
    [/version 2/, (lock) => void Object.assign(lock, { lockfileVersion: 2 })],
  ];
  for (const [expected, spoil] of breakages) {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
    spoil(lock);
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const { status, stderr } = check(folder);
    assert.equal(status, 1);
    assert.match(stderr, expected);
  }
});
