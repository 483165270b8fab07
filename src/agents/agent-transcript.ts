import type { Instant } from '../model/ids.ts';

export const TRANSCRIPT_AGENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor'] as const;
export type TranscriptAgent = (typeof TRANSCRIPT_AGENTS)[number];

/** What a person or a model said; never what tools gave back, or what a program put into the conversation. */
export interface Said {
  /** The agent's own id of the message, or its place in the transcript: the same at every reading. */
  id: string;
  by: 'user' | 'agent';
  text: string;
  at: Instant | null;
}

export interface Transcript {
  agent: TranscriptAgent;
  session: string;
  /** Where the work was done. */
  directory: string | null;
  said: readonly Said[];
  /** Lines that could not be read; agents change their formats as they like. */
  unreadable: number;
}

/** Where one session's transcript is kept. */
export interface TranscriptFile {
  agent: TranscriptAgent;
  path: string;
  /** Of a file that holds several sessions: which one. */
  session?: string;
  /** When it was last written to. */
  changedAt: Instant;
}

type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The texts among blocks of content, each of a type named in `types`; a bare text is one. */
export function textOfBlocks(content: unknown, types: readonly string[]): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(asFields)
    .filter(({ type }) => type === undefined || types.includes(String(type)))
    .map(({ text }) => asText(text) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}
