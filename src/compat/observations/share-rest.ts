import type { OtherProcesses } from '../../rest/peers.ts';

declare module '../../rest/peers.ts' {
  interface PeerFacts {
    /** The summarizer is left in peace there. */
    resting: boolean;
  }
}

const REST_EVERY_MS = 500;

/** The worker that looks after the database asks the summarizer, and any of them may be asked how it does. */
export function shareRest(isAtRest: () => boolean, peers: OtherProcesses): () => boolean {
  const elsewhere = new Set<number>();
  let told = false;
  const look = (): void => {
    if (isAtRest() === told) return;
    told = !told;
    peers.tell('resting', told);
  };
  setInterval(look, REST_EVERY_MS).unref();
  peers.hear('resting', (isResting, from) => void (isResting ? elsewhere.add(from) : elsewhere.delete(from)));
  peers.onLeave((slot) => elsewhere.delete(slot));
  peers.onJoin(() => peers.tell('resting', told));
  return () => isAtRest() || elsewhere.size > 0;
}
