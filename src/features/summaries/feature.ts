import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { bound, late } from '../late.ts';
import { settings } from './settings.ts';
import { spendKind } from './spend-kind.ts';
import type { Summarizer } from './summarizer-port.ts';
import { isSummarizerLeftInPeace } from './summarizer-state.ts';
import type { VERBS } from './verbs.ts';

const ledger = () => import('./spend-ledger.ts');

const api = {
  listSpend: late(ledger, 'listSpend'),
  isSummarizerLeftInPeace: bound(isSummarizerLeftInPeace),
};

declare module '../../engine/engine-parts.ts' {
  interface EnginePorts {
    /** Absent or null: observations keep the summaries that rules make, and nothing is spent. */
    summarizer?: Summarizer | null;
  }
}

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const summaries = defineFeature({
  name: 'summaries',
  about: 'Summaries by a model that the operator names, and the ledger of what it cost.',
  settings,
  kinds: [spendKind],
  closing: ['summarizer'],
  api,
  opens: {
    summarizer: { ifSet: 'summarizerUrl', open: async () => (await import('./open-summarizer.ts')).openSummarizer },
  },
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
