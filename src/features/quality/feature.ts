import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import { settings } from './settings.ts';
import type { VERBS } from './verbs.ts';

const rating = () => import('./rate-memory.ts');
const explaining = () => import('./explain-quality.ts');
const evaluating = () => import('./evaluate-quality.ts');
const analyzing = () => import('./analyze-quality.ts');

const api = {
  rateMemory: late(rating, 'rateMemory'),
  explainQuality: late(explaining, 'explainQuality'),
  evaluateQuality: late(evaluating, 'evaluateQuality'),
  scoreTexts: late(evaluating, 'scoreTexts'),
  analyzeQuality: late(analyzing, 'analyzeQuality'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const quality = defineFeature({
  name: 'quality',
  about: 'Ratings, the reasons for a score, and scores by a model.',
  settings,
  needs: ['memories', 'summaries'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  tools: async () => (await import('./tools.ts')).listTools,
});
