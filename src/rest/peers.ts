/** What the processes behind one port tell each other, by its name; whatever it is, it can be lost with the process that told it. Features and systems join theirs. */
export interface PeerFacts {
  /** Requests since the last word, by person. */
  counted: Readonly<Record<string, { read: number; write: number }>>;
  /** How many streams this person has open there. */
  streams: { userId: string; count: number };
  /** How many there want to hear of searches. */
  listening: number;
  searched: unknown;
  /** Somebody may have lost rights. */
  rights: true;
  /** Searches answered there since its start. */
  tally: { total: number; ms: number };
}

/** The other processes behind the same port, as one of them sees them. */
export interface OtherProcesses {
  tell<T extends keyof PeerFacts>(topic: T, fact: PeerFacts[T]): void;
  hear<T extends keyof PeerFacts>(topic: T, listener: (fact: PeerFacts[T], from: number) => void): void;
  /** Somebody has come, and knows nothing yet. */
  onJoin(listener: () => void): void;
  onLeave(listener: (slot: number) => void): void;
}
