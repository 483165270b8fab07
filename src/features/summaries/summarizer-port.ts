/** What a model is told of one observation: screened, and cut to what a summary needs. */
export interface ToSummarize {
  tool: string;
  input: string;
  output: string;
}

export interface Summary {
  /** At most 120 characters. */
  summary: string;
  type: string;
  /** At most five of each. */
  files: string[];
  concepts: string[];
}

/** What calls have cost, whether they brought anything or not. */
export interface Spent {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

export type Summarized = { spent: Spent } & (
  | { outcome: 'summarized'; summary: Summary }
  /** The service answers, but not with a summary: another try may bring one. */
  | { outcome: 'unusable'; reason: string }
  /** The service refuses, is down or too slow: it is left in peace for a while. */
  | { outcome: 'failed'; reason: string }
);

export type Scored = { spent: Spent } & (
  | { outcome: 'scored'; score: number }
  | { outcome: 'unusable' | 'failed'; reason: string }
);

/** Puts what happened into a few words, by asking a model. Nothing is sent before `summarize` is called. */
export interface Summarizer {
  /** Names the model, for the ledger. */
  readonly id: string;
  /** How many calls it may make right now: none while its rate is used up or the service is left in peace. */
  readonly free: number;
  /** It has failed again and again, or was refused, and is not asked for a while. */
  readonly isLeftInPeace: boolean;
  /** At most this many calls for one text, those that are repeated included. */
  readonly maxCalls: number;
  /** Never throws for what the service does. */
  summarize(text: ToSummarize): Promise<Summarized>;
  /** 0 to 1: what a text is worth as a memory, whoever asks. Absent: it cannot tell. */
  score?(text: string): Promise<Scored>;
  close(): Promise<void>;
}
