import type { ApiOf } from '../../engine/engine.ts';
import type { Job } from '../../engine/engine-parts.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import { WAITING_ENDINGS } from './capture/has-events.ts';
import { observationKind } from './observation-kind.ts';
import { sessionKind } from './session-kind.ts';
import { settings } from './settings.ts';
import type { VERBS } from './verbs.ts';

const counting = () => import('./count-unsummarized.ts');
const recording = () => import('./record-events.ts');
const choosing = () => import('./context/get-context.ts');
const reading = () => import('./read-sessions.ts');
const serving = () => import('./capture/serve-hooks.ts');
const forgetting = () => import('./forget-observations.ts');

const summarizing: Job = {
  name: 'summarized',
  isDue: ({ summarizer }) => summarizer != null,
  run: async () => (await import('./summarize-pending.ts')).summarizePending,
};

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
  countUnsummarized: late(counting, 'countUnsummarized'),
  forgetObservations: late(forgetting, 'forgetObservations'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const sessions = defineFeature({
  name: 'sessions',
  about: 'Capture by hooks, the timeline, and the context that a session starts with.',
  settings,
  needs: ['memories', 'summaries', 'quality'],
  kinds: [observationKind, sessionKind],
  jobs: [summarizing],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  imports: { events: async () => (await import('./import-events.ts')).importEvents },
  checks: async () => (await import('./terminal/status-checks.ts')).CHECKS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  instant: { hook: async () => (await import('./terminal/hook.ts')).captureEvent },
  answering: async () => (await import('./capture/answer-hook.ts')).answerHook,
  services: {
    server: async () => (await serving()).takeInWhileServing,
    agent: async () => (await import('./capture/agent-intake.ts')).AGENT_INTAKE,
    command: {
      due: { place: 'spool', endings: WAITING_ENDINGS },
      near: async () => (await import('./capture/take-in.ts')).takeInBeforeCommand,
      far: async () => (await import('./capture/agent-intake.ts')).sendBriefly,
    },
    listening: async () => (await serving()).tellHooks,
  },
});
