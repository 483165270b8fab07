import type { ApiOf } from '../../engine/engine.ts';
import { observationKind } from '../../engine/sessions/observation-kind.ts';
import { sessionKind } from '../../engine/sessions/session-kind.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';

const recording = () => import('../../engine/sessions/record-events.ts');
const choosing = () => import('../../engine/sessions/context/get-context.ts');
const reading = () => import('../../engine/sessions/read-sessions.ts');
const forgetting = () => import('../../engine/sessions/forget-observations.ts');

const api = {
  recordEvents: late(recording, 'recordEvents'),
  getContext: late(choosing, 'getContext'),
  listSessions: late(reading, 'listSessions'),
  findSession: late(reading, 'findSession'),
  listObservations: late(reading, 'listObservations'),
  getObservations: late(reading, 'getObservations'),
  getSurroundings: late(reading, 'getSurroundings'),
  getTimeline: late(reading, 'getTimeline'),
  countConcepts: late(reading, 'countConcepts'),
  forgetObservations: late(forgetting, 'forgetObservations'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

export const sessions = defineFeature({
  name: 'sessions',
  about: 'Capture by hooks, the timeline, and the context that a session starts with.',
  needs: ['memories', 'summaries', 'quality'],
  kinds: [observationKind, sessionKind],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
