import type { Health } from '../../../engine/engine.ts';
import { describeHealth } from '../../../verbs/describe-health.ts';
import { defineVerb } from '../../../verbs/verb.ts';

export type HealthShown = Omit<Health, 'facts' | 'memories' | 'tags' | 'createdThisWeek' | 'index'> & {
  store: 'sqlite' | 'postgres';
  /** Told to the operator alone. */
  location?: string;
  /** Told to the operator alone. */
  rowSecurity?: Health['facts']['rowSecurity'];
  schemaVersion: number;
  bytes?: number;
  index: Health['index'] & { segments: number; segmentBytes: number };
};

export const checkHealth = defineVerb<object, HealthShown>({
  needs: 'read',
  input: {},
  async run({ engine, caller }) {
    const { facts, status, version, problems, notices, embedder, index, searches, workers } =
      await engine.checkHealth(caller);
    return {
      status,
      version,
      problems,
      notices,
      store: facts.store,
      location: facts.location,
      rowSecurity: facts.rowSecurity,
      schemaVersion: facts.schemaVersion,
      bytes: facts.bytes,
      embedder,
      index: { ...index, segments: facts.segments, segmentBytes: facts.segmentBytes },
      searches,
      workers,
    };
  },
  rest: {
    at: 'GET /health',
    summary: 'Health of your space, and for the operator of the server',
    answers: { 200: 'GET /health needs no token and says only whether the server works.' },
  },
});

type Counted = 'deleted' | 'superseded' | 'passages' | 'relations' | 'versions' | 'bytes';

export interface Stats extends Pick<Health['facts'], Counted>, Pick<Health, 'createdThisWeek' | 'tags'> {
  memories: number;
  /** Lines of the change feed. */
  changes: number;
}

export const showStats = defineVerb<object, Stats>({
  needs: 'read',
  input: {},
  async run({ engine, caller }) {
    const { facts, memories, tags, createdThisWeek } = await engine.checkHealth(caller);
    const { deleted, superseded, passages, relations, versions, bytes, head: changes } = facts;
    return { memories, deleted, superseded, createdThisWeek, tags, passages, relations, versions, bytes, changes };
  },
  rest: {
    at: 'GET /stats',
    summary: 'Show how much is stored',
    answers: { 200: 'Counts for your space.' },
  },
  command: {
    name: 'stats',
    summary: 'Show what is stored, and the state of the database',
    usage: '',
    flags: [],
    maxWords: 0,
    examples: ['ltm stats', 'ltm stats --json'],
  },
});

/** Both in one answer: an agent asks once. */
export const memoryHealth = defineVerb<object, Health>({
  needs: 'read',
  input: {},
  run: ({ engine, caller }) => engine.checkHealth(caller),
  tool: {
    name: 'memory_health',
    title: 'Memory health',
    text: 'Whether the memory works, and how much it holds.',
    shown: {},
    output: { status: 'string', statistics: 'object' },
    answer: describeHealth,
  },
});
