import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Log } from '../../engine/ports.ts';
import { EngineError, type ErrorCode, type ErrorOptions } from '../../model/errors.ts';
import type { Environment } from '../../settings/settings.ts';
import { socketPath } from './forward-request.ts';
import type { HandOver } from './hand-over.ts';
import { type FromWorker, PLACE_VARIABLE, type ToWorker, type WorkerPlace } from './peers.ts';

/** A worker that lived this long is replaced at once; one that did not, ever later. */
const STEADY_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Longer than a worker takes to answer what has begun. */
const STOP_MS = 10_000;

interface Member {
  child: ChildProcess;
  isListening: boolean;
  since: number;
}

interface CrewPorts {
  log: Log;
  /** What the workers get, and their place. */
  env: Environment;
  handOver: HandOver;
}

/** The workers of one server: started together, replaced when they end, told of each other, stopped together. */
export function createCrew(place: Omit<WorkerPlace, 'slot'>, { log, env, handOver }: CrewPorts) {
  const { count } = place;
  const members = new Map<number, Member>();
  const deaths = new Map<number, number>();
  const waiting = new Set<NodeJS.Timeout>();
  const started = Promise.withResolvers<void>();
  let [isStopping, hasStarted] = [false, false];

  function begin(slot: number): void {
    const own: WorkerPlace = { ...place, slot };
    if (process.platform !== 'win32')
      for (const name of [slot, `${slot}-port`]) rmSync(socketPath(own, name), { force: true });
    const child = fork(process.argv[1]!, process.argv.slice(2), {
      env: { ...env, [PLACE_VARIABLE]: JSON.stringify(own) },
    });
    members.set(slot, { child, isListening: false, since: Date.now() });
    child.on('message', (message: FromWorker) => receive(slot, message));
    child.on('error', (error) => log.warn('worker_unreachable', { worker: slot + 1, message: error.message }));
    child.once('exit', (code, signal) => replace(slot, signal ?? code ?? ''));
  }

  function receive(slot: number, message: FromWorker): void {
    switch (message.type) {
      case 'taken':
        handOver.taken(message.number);
        break;
      case 'told':
        for (const [other, { child }] of members) if (other !== slot) tell(child, { ...message, from: slot });
        break;
      case 'started':
        welcome(slot);
        break;
      case 'failed': {
        const { code, message: problem, hint, details } = message;
        started.reject(new EngineError(code as ErrorCode, problem, { hint, details } as ErrorOptions));
      }
    }
  }

  function welcome(slot: number): void {
    const member = members.get(slot);
    if (member === undefined) return;
    member.isListening = true;
    log.info('worker_started', { worker: slot + 1, pid: member.child.pid ?? 0 });
    handOver.join(slot, (number, socket) =>
      member.child.send({ type: 'connection', number } satisfies ToWorker, socket, { keepOpen: true }, () => {}),
    );
    tellRunning();
    if (listening().length < count) return;
    hasStarted = true;
    started.resolve();
  }

  function replace(slot: number, reason: string | number): void {
    const since = members.get(slot)?.since ?? 0;
    members.delete(slot);
    handOver.leave(slot);
    if (isStopping) return;
    if (!hasStarted) {
      started.reject(new EngineError('internal', `A worker ended with ${reason} before it listened.`));
      return;
    }
    const early = Date.now() - since < STEADY_MS ? (deaths.get(slot) ?? 0) + 1 : 0;
    deaths.set(slot, early);
    const wait = early === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (early - 1));
    log.error('worker_ended', { worker: slot + 1, reason, next_in_ms: wait });
    tellRunning();
    const timer = setTimeout(() => {
      waiting.delete(timer);
      begin(slot);
    }, wait);
    waiting.add(timer);
  }

  const listening = (): number[] => [...members].filter(([, { isListening }]) => isListening).map(([slot]) => slot);
  function tellRunning(): void {
    const slots = listening();
    for (const { child } of members.values()) tell(child, { type: 'running', slots });
  }

  return {
    /** Resolves when all of them answer; fails with the reason of the first that cannot. */
    start(): Promise<void> {
      for (let slot = 0; slot < count; slot++) begin(slot);
      return started.promise;
    },
    async stop(): Promise<void> {
      isStopping = true;
      for (const timer of waiting) clearTimeout(timer);
      const all = [...members.values()].map(({ child }) => child);
      const ended = Promise.all(
        all.map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve()))),
      );
      for (const child of all) tell(child, { type: 'stop' });
      const late = setTimeout(() => {
        for (const child of all) child.kill('SIGKILL');
      }, STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** One that is about to end hears nothing any more, and need not. */
function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {});
}
