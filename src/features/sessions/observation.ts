import type { Instant, RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Source, StoredRecord, Trust } from '../../model/record.ts';
import type { SessionEventName } from '../../model/session-event.ts';

/** What an observation can be about; `prompt` and `reply` are what was said, the others what was done. */
export const OBSERVATION_TYPES = [
  ...(['decision', 'bugfix', 'feature', 'refactor', 'discovery', 'pattern', 'change', 'note'] as const),
  ...(['prompt', 'reply'] as const),
] as const;
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

/** One thing that happened in a session, as it is kept. */
export interface Observation {
  id: RecordId;
  /** Per space, from 1, never given twice. */
  number: number;
  at: Instant;
  event: SessionEventName;
  type: string;
  title: string;
  summary: string;
  tool: string | null;
  /** JSON, or the beginning of it. */
  input: string;
  output: string;
  /** Of a prompt, a reply and a compaction: what was said. */
  text: string;
  files: readonly string[];
  concepts: readonly string[];
  /** Which prompt of the session it follows; 0: none yet. */
  prompt: number;
  failed: boolean;
  /** What sort of act it was, as `describeEvent` names them. */
  act: string | null;
  /** Of a command: what it comes down to; the same work has the same text. */
  command: string | null;
  /** Of what failed: what went wrong. */
  problem: string | null;
  /** Names of what was replaced or left out. */
  screened: readonly string[];
  session: string;
  agent: string | null;
  project: string | null;
  source: Source;
  trust: Trust;
}

/** What a session came to, by rules or by a summarizer. */
export interface SessionDigest {
  asked: string;
  done: readonly string[];
  decided: readonly string[];
  failed: readonly string[];
  open: readonly string[];
  next: string;
}

export interface SessionCounts {
  observations: number;
  prompts: number;
  tools: number;
  failures: number;
}

export interface AgentSession {
  id: RecordId;
  /** The agent's own id of it. */
  session: string;
  agent: string | null;
  project: string | null;
  directory: string | null;
  startedAt: Instant;
  lastAt: Instant;
  /** null: it may go on. */
  endedAt: Instant | null;
  title: string;
  firstPrompt: string;
  counts: SessionCounts;
  digest: SessionDigest;
  /** Where the agent keeps its transcript, if it said so. */
  transcript: string | null;
  source: Source;
  trust: Trust;
}

export const EMPTY_DIGEST: SessionDigest = { asked: '', done: [], decided: [], failed: [], open: [], next: '' };
export const NO_COUNTS: SessionCounts = { observations: 0, prompts: 0, tools: 0, failures: 0 };

export function toObservation(record: StoredRecord): Observation {
  const { id, createdAt, type, title, session, agent, project, source, trust } = record;
  const body = record.body as JsonObject & Partial<Omit<Observation, 'session'>>;
  return {
    id,
    number: body.number ?? 0,
    at: createdAt,
    event: body.event ?? 'tool',
    type,
    title: title ?? '',
    summary: body.summary ?? '',
    tool: body.tool ?? null,
    input: body.input ?? '',
    output: body.output ?? '',
    text: body.text ?? '',
    files: body.files ?? [],
    concepts: body.concepts ?? [],
    prompt: body.prompt ?? 0,
    act: body.act ?? null,
    command: body.command ?? null,
    problem: body.problem ?? null,
    failed: body.failed ?? false,
    screened: body.screened ?? [],
    session: session ?? '',
    agent,
    project,
    source,
    trust,
  };
}

export function toSession(record: StoredRecord): AgentSession {
  const { id, key, session, agent, project, title, createdAt, updatedAt, source, trust } = record;
  const body = record.body as JsonObject & Partial<Pick<AgentSession, 'startedAt' | 'lastAt' | 'endedAt'>>;
  const {
    directory = null,
    firstPrompt = '',
    counts = NO_COUNTS,
    digest = EMPTY_DIGEST,
  } = body as Partial<AgentSession>;
  return {
    id,
    session: session ?? key ?? '',
    agent,
    project,
    directory,
    title: title ?? '',
    firstPrompt,
    startedAt: body.startedAt ?? createdAt,
    lastAt: body.lastAt ?? updatedAt,
    endedAt: body.endedAt ?? null,
    counts,
    digest: { ...EMPTY_DIGEST, ...digest },
    transcript: typeof body.transcript === 'string' ? body.transcript : null,
    source,
    trust,
  };
}
