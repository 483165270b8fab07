import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { bound, late } from '../late.ts';
import { openSummarizer } from './open-summarizer.ts';
import { spendKind } from './spend-kind.ts';
import { isSummarizerLeftInPeace } from './summarizer-state.ts';
import type { VERBS } from './verbs.ts';

const ledger = () => import('./spend-ledger.ts');

const api = {
  listSpend: late(ledger, 'listSpend'),
  isSummarizerLeftInPeace: bound(isSummarizerLeftInPeace),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const summaries = defineFeature({
  name: 'summaries',
  about: 'Summaries by a model that the operator names, and the ledger of what it cost.',
  kinds: [spendKind],
  api,
  opens: async (config, log) => ({ summarizer: await openSummarizer(config, log) }),
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
