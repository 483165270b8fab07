import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createTerminal, type OutputStream } from '../../../cli/terminal.ts';
import type { ListedPacket } from '../verbs/list-packets.ts';
import { pickPacket } from './pick-packet.ts';
import { cutGoal } from './show-packets.ts';

const CHOICES: ListedPacket[] = ['one', 'two', 'three'].map((name) => ({
  id: `packet-${name}`,
  createdAt: '2026-01-31T09:30:00Z',
  goal: `Goal ${name}`,
}));
const [UP, DOWN, ENTER, ESCAPE, CTRL_C] = ['\u001b[A', '\u001b[B', '\r', '\u001b', '\u0003'];

/** Presses keys one after the other; what was chosen, and what was drawn where. */
async function press(
  ...keys: (string | undefined)[]
): Promise<{ id: string | undefined; stdout: string; stderr: string; raw: boolean[] }> {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written): OutputStream => ({
    write(text) {
      written[name] += text;
      return true;
    },
    once: () => {},
    on: () => {},
    isTTY: true,
  });
  const terminal = createTerminal({ stdin, stdout: stream('stdout'), stderr: stream('stderr') }, {}, { quiet: false });
  const picked = pickPacket(CHOICES, terminal);
  for (const key of keys) {
    stdin.write(key);
    await turn();
  }
  return { id: (await picked)?.id, ...written, raw };
}

test('arrows move, Enter chooses, and everything is drawn on stderr', async () => {
  const { id, stdout, stderr, raw } = await press(DOWN, DOWN, DOWN, UP, ENTER);
  assert.deepEqual([id, stdout, raw], ['packet-two', '', [true, false]]);
  assert.ok(stderr.includes('Goal one') && stderr.endsWith('\u001b[?25h'));
});

test('Esc, q and Ctrl-C choose nothing and give the terminal back', async () => {
  for (const key of [ESCAPE, 'q', CTRL_C]) {
    const { id, raw } = await press(DOWN, key);
    assert.deepEqual([id, raw], [undefined, [true, false]]);
  }
});

test('a goal is cut between characters, and nothing in it acts on the terminal', () => {
  assert.equal(cutGoal('é'.repeat(73), 72), `${'é'.repeat(72)}…`);
  assert.equal(cutGoal('e\u0301'.repeat(72), 72), 'e\u0301'.repeat(72));
  assert.equal(cutGoal('a\u001b[2Jb\nc', 72), 'a␛[2Jb c');
});
