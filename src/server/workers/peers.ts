import type { Socket } from 'node:net';
import { isObject } from '../../model/json-text.ts';
import type { OtherProcesses } from '../../rest/peers.ts';

/** Where a worker stands among those that share a port. */
export interface WorkerPlace {
  /** From 0; whoever replaces a worker takes its place. */
  slot: number;
  count: number;
  /** Where each worker listens for the others; nobody else may enter. */
  folder: string;
  /** That all of them answer at. */
  port: number;
}

/** How a worker learns its place. */
export const PLACE_VARIABLE = 'LTM_WORKER';

export function readPlace(env: Readonly<Record<string, string | undefined>>): WorkerPlace | null {
  const text = env[PLACE_VARIABLE];
  return text === undefined ? null : (JSON.parse(text) as WorkerPlace);
}

export type ToWorker =
  | { type: 'stop' }
  /** A socket comes with it. */
  | { type: 'connection'; number: number }
  /** Which places are taken by workers that listen. */
  | { type: 'running'; slots: readonly number[] }
  | { type: 'told'; from: number; topic: string; fact: unknown };

export type FromWorker =
  | { type: 'started' }
  | { type: 'taken'; number: number }
  | { type: 'failed'; code: string; message: string; hint?: string | undefined; details?: object }
  | { type: 'told'; topic: string; fact: unknown };

/** The other workers, as one of them sees them. */
export interface Peers extends WorkerPlace, OtherProcesses {
  channel: Channel;
  running(): ReadonlySet<number>;
}

/** The channel between a worker and the process that started it. */
export interface Channel {
  /** `onSent`: it is on its way. */
  send(message: FromWorker, onSent?: () => void): void;
  receive(listener: (message: ToWorker, socket?: Socket) => void): void;
}

/** Everything travels through the process that started the workers, which passes it on to all others. */
export function joinPeers(place: WorkerPlace, channel: Channel): Peers {
  const heard = new Map<string, ((fact: never, from: number) => void)[]>();
  const joined: (() => void)[] = [];
  const left: ((slot: number) => void)[] = [];
  let running: ReadonlySet<number> = new Set([place.slot]);
  channel.receive((message) => {
    if (message.type === 'told') {
      for (const listener of heard.get(message.topic) ?? []) listener(message.fact as never, message.from);
    } else if (message.type === 'running') {
      const before = running;
      running = new Set(message.slots);
      for (const slot of before) if (!running.has(slot)) for (const listener of left) listener(slot);
      if (message.slots.some((slot) => !before.has(slot))) for (const listener of joined) listener();
    }
  });
  return {
    ...place,
    channel,
    tell: (topic, fact) => channel.send({ type: 'told', topic, fact }),
    hear: (topic, listener) => void heard.set(topic, [...(heard.get(topic) ?? []), listener as never]),
    onJoin: (listener) => void joined.push(listener),
    onLeave: (listener) => void left.push(listener),
    running: () => running,
  };
}

/** Of this process, if it was forked. Messages of others on the same channel are left alone. */
export function openChannel(): Channel {
  return {
    send: (message, onSent = () => {}) => void process.send?.(message, onSent),
    receive: (listener) => {
      process.on('message', (message, socket) => {
        if (isObject(message) && 'type' in message) listener(message as ToWorker, socket as Socket | undefined);
      });
    },
  };
}
