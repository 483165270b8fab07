import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { createHandOver } from './hand-over.ts';

/** As much of a socket as the hand-over touches. */
function fakeSocket(name: string) {
  const socket = {
    name,
    isDestroyed: false,
    on: () => socket,
    destroy() {
      socket.isDestroyed = true;
    },
  };
  return socket as typeof socket & Socket;
}

function open() {
  const handOver = createHandOver();
  const received = new Map<number, { number: number; name: string }[]>();
  const join = (slot: number) => {
    received.set(slot, received.get(slot) ?? []);
    handOver.join(slot, (number, socket) =>
      received.get(slot)!.push({ number, name: (socket as never as { name: string }).name }),
    );
  };
  const names = (slot: number) => received.get(slot)!.map(({ name }) => name);
  return { handOver, received, join, names };
}

test('workers get connections in turn', () => {
  const { handOver, join, names } = open();
  join(0);
  join(1);
  for (const name of 'abcd') handOver.give(fakeSocket(name));
  assert.deepEqual(
    [names(0), names(1)],
    [
      ['a', 'c'],
      ['b', 'd'],
    ],
  );
});

test('what a worker took is its own; what it did not take before it died goes to another', () => {
  const { handOver, received, join, names } = open();
  join(0);
  join(1);
  const sockets = [...'abcd'].map(fakeSocket);
  for (const socket of sockets) handOver.give(socket);
  handOver.taken(received.get(0)![0]!.number);
  assert.deepEqual(
    sockets.map(({ isDestroyed }) => isDestroyed),
    [true, false, false, false],
  );
  handOver.leave(0);
  assert.deepEqual(names(1), ['b', 'd', 'c']);
});

test('while there is no worker connections wait for one, but not without end', () => {
  const { handOver, join, names } = open();
  const sockets = Array.from({ length: 1001 }, (_, i) => fakeSocket(String(i)));
  for (const socket of sockets) handOver.give(socket);
  assert.deepEqual([sockets.at(-2)!.isDestroyed, sockets.at(-1)!.isDestroyed], [false, true]);
  join(0);
  assert.equal(names(0).length, 1000);
});
