import type { Instant } from './ids.ts';

/** What a person or a model said in one line of a transcript. */
export interface SaidLine {
  by: 'user' | 'agent';
  text: string;
  at: Instant | null;
}

/** What a line of a transcript says; null: nothing that anybody said. */
export type ReadSaid = (line: string) => SaidLine | null;
