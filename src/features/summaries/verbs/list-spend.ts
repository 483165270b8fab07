import { integer } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { SpendReport } from '../spend.ts';

const USUAL_DAYS = 30;

export const listSpend = defineVerb<{ days?: number }, SpendReport>({
  needs: 'read',
  input: { days: integer(1, 366, `How many days to look back. Default: ${USUAL_DAYS}.`) },
  run: ({ engine, caller }, { days = USUAL_DAYS }) => engine.listSpend(caller, days),
  rest: {
    at: 'GET /spend',
    summary: 'What summaries by a model have cost',
    answers: { 200: 'By day and model, the latest first. Without a summarizer nothing is ever spent.' },
  },
  command: {
    name: 'spend',
    summary: 'Show what summaries by a model have cost',
    usage: '',
    about: 'Calls and tokens by day and model. Without the setting summarizer_url nothing is ever spent.',
    flags: ['days'],
    maxWords: 0,
    examples: ['ltm spend', 'ltm spend --days 7 --json'],
  },
});
