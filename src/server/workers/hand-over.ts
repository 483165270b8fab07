import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Channel } from './peers.ts';

/** Connections that wait for a worker while none is there; more are refused. */
const MAX_WAITING = 1000;

/** Gives connections to workers in turn. */
export interface HandOver {
  give(socket: Socket): void;
  /** The worker has it: this process lets go of it. */
  taken(number: number): void;
  join(slot: number, send: (number: number, socket: Socket) => void): void;
  /** What this worker has not taken goes to another one, so that no client waits for a process that is gone. */
  leave(slot: number): void;
}

export function createHandOver(): HandOver {
  const workers = new Map<number, (number: number, socket: Socket) => void>();
  const given = new Map<number, { socket: Socket; slot: number }>();
  const waiting: Socket[] = [];
  let [number, turn] = [0, 0];

  function give(socket: Socket): void {
    const slots = [...workers.keys()];
    const slot = slots[turn++ % slots.length];
    if (slot !== undefined) {
      given.set(++number, { socket, slot });
      workers.get(slot)!(number, socket);
    } else if (waiting.length < MAX_WAITING) waiting.push(socket);
    else socket.destroy();
  }

  return {
    give(socket) {
      // one that breaks before it is answered concerns its client alone
      socket.on('error', () => socket.destroy());
      give(socket);
    },
    taken(taken) {
      given.get(taken)?.socket.destroy();
      given.delete(taken);
    },
    join(slot, send) {
      workers.set(slot, send);
      for (const socket of waiting.splice(0)) give(socket);
    },
    leave(slot) {
      workers.delete(slot);
      const left = [...given].filter(([, one]) => one.slot === slot);
      for (const [id, { socket }] of left) {
        given.delete(id);
        give(socket);
      }
    },
  };
}

/** The other side: what is handed over is answered by this server as if it had come by itself. */
export function takeConnections(channel: Channel, server: HttpServer): void {
  channel.receive((message, socket) => {
    if (message.type !== 'connection') return;
    channel.send({ type: 'taken', number: message.number });
    // it may have been closed on its way
    if (socket === undefined) return;
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
}
