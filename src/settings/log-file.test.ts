import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLogFile } from './log-file.ts';

describe('a log file', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ltm-log-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const linesOf = (name: string): string[] => readFileSync(join(folder, name), 'utf8').trim().split('\n');

  it('starts anew when it is full, keeps three full ones and drops older ones', () => {
    const log = openLogFile(join(folder, 'deep', 'ltm.log'), 20);
    for (let number = 1; number <= 12; number++) log.write(`line ${String(number).padStart(4)}\n`);
    assert.deepEqual(readdirSync(join(folder, 'deep')).sort(), ['ltm.log', 'ltm.log.1', 'ltm.log.2', 'ltm.log.3']);
    // Two lines fit, and the oldest four are gone.
    assert.deepEqual(linesOf('deep/ltm.log.3'), ['line    5', 'line    6']);
    assert.deepEqual(linesOf('deep/ltm.log'), ['line   11', 'line   12']);
    assert.equal(statSync(join(folder, 'deep', 'ltm.log')).mode & 0o777, 0o600);
  });

  it('loses no line when several write to it', () => {
    const logs = [1, 2].map(() => openLogFile(join(folder, 'two.log'), 200));
    for (let number = 0; number < 40; number++) logs[number % 2]!.write(`${number}\n`);
    const names = readdirSync(folder).filter((name) => name.startsWith('two.log'));
    const numbers = names.flatMap((name) => linesOf(name).map(Number)).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 40 }, (_, number) => number),
    );
  });

  it('goes on after somebody has moved it away', () => {
    const path = join(folder, 'moved.log');
    const log = openLogFile(path);
    log.write('a\n');
    rmSync(path);
    log.write('b\n');
    assert.equal(readFileSync(path, 'utf8'), 'b\n');
  });

  it('writes to stderr what it cannot write', () => {
    const path = join(folder, 'full', 'x.log');
    const log = openLogFile(path);
    rmSync(join(folder, 'full'), { recursive: true });
    const written: unknown[] = [];
    const real = process.stderr.write;
    process.stderr.write = ((text: unknown) => written.push(text) > 0) as typeof process.stderr.write;
    try {
      log.write('not lost\n');
    } finally {
      process.stderr.write = real;
    }
    assert.deepEqual(written, ['not lost\n']);
    assert.equal(existsSync(path), false);
    mkdirSync(join(folder, 'full'));
    log.write('again\n');
    assert.equal(readFileSync(path, 'utf8'), 'again\n');
  });
});
