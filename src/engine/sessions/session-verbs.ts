import type { Caller } from '../../model/caller.ts';
import type { Observation } from '../../model/observation.ts';
import type { Page } from '../../model/page.ts';
import type { ContextRequest, SessionContext } from '../../model/session-context.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { createTurns } from '../create-turns.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Search } from '../search/search.ts';
import type { ForgetInput, Forgotten } from './forget-observations.ts';
import type {
  FoundObservations,
  ListedSession,
  ListObservationsInput,
  PeriodInput,
  Surroundings,
  SurroundingsInput,
  TimelineEntry,
  TimelineInput,
} from './read-sessions.ts';
import type { RecordedEvents } from './record-events.ts';

/** What can be done with what happened in agents' sessions. */
export interface SessionVerbs {
  /** Each event exactly once by its key, whoever delivers it and however often. */
  recordEvents(caller: Caller, events: readonly SessionEvent[]): Promise<RecordedEvents>;
  /** What an agent should know at the start of a session, or when its person turns to something else; with a reason where that is nothing. */
  getContext(caller: Caller, request: ContextRequest): Promise<SessionContext>;
  listSessions(caller: Caller, input: PeriodInput): Promise<Page<ListedSession>>;
  findSession(caller: Caller, session: string): Promise<ListedSession | null>;
  listObservations(caller: Caller, input: ListObservationsInput): Promise<Page<Observation>>;
  /** By number or id, in the order asked for. */
  getObservations(caller: Caller, refs: readonly string[]): Promise<FoundObservations>;
  /** What happened in the same session around an observation. */
  getSurroundings(caller: Caller, input: SurroundingsInput): Promise<Surroundings>;
  /** Everything that was stored, of whatever kind, newest first. */
  getTimeline(caller: Caller, input: TimelineInput): Promise<Page<TimelineEntry>>;
  forgetObservations(caller: Caller, input: ForgetInput): Promise<Forgotten>;
  /** Observations that a model is still to summarise; 0 where none is asked. */
  countUnsummarized(caller: Caller): Promise<number>;
  /** The model has failed again and again, and is not asked for a while; of this process. */
  isSummarizerLeftInPeace(): boolean;
  countConcepts(caller: Caller): Promise<{ value: string; count: number }[]>;
}

export function createSessionVerbs(parts: EngineParts, search: Search): SessionVerbs {
  // numbers are given one after the other: within a process nobody has to try twice for them
  const inTurn = createTurns();
  const reading = () => import('./read-sessions.ts');
  return {
    getContext: async (caller, request) =>
      (await import('./context/get-context.ts')).getContext(parts, search, caller, request),
    recordEvents: (caller, events) =>
      inTurn(caller.space, async () => (await import('./record-events.ts')).recordEvents(parts, caller, events)),
    listSessions: async (caller, input) => (await reading()).listSessions(parts, caller, input),
    findSession: async (caller, session) => (await reading()).findSession(parts, caller, session),
    listObservations: async (caller, input) => (await reading()).listObservations(parts, caller, input),
    getObservations: async (caller, refs) => (await reading()).getObservations(parts, caller, refs),
    getSurroundings: async (caller, input) => (await reading()).getSurroundings(parts, caller, input),
    getTimeline: async (caller, input) => (await reading()).getTimeline(parts, caller, input),
    forgetObservations: async (caller, input) =>
      (await import('./forget-observations.ts')).forgetObservations(parts, caller, input),
    countUnsummarized: async (caller) =>
      parts.summarizer == null
        ? 0
        : (await import('../summaries/summarize-pending.ts')).countUnsummarized(parts, caller),
    isSummarizerLeftInPeace: () => parts.summarizer?.isLeftInPeace ?? false,
    countConcepts: async (caller) => (await reading()).countConcepts(parts, caller),
  };
}
