import { choice, ref, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Evaluation } from '../evaluate-quality.ts';
import type { Rating } from '../quality.ts';
import type { RatedOutcome, RateInput } from '../rate-memory.ts';

const WORDS: Readonly<Record<string, Rating>> = { good: 1, neutral: 0, bad: -1, '1': 1, '0': 0, '-1': -1 };

export const rateMemory = defineVerb<Omit<RateInput, 'rating'> & { rating: string }, RatedOutcome>({
  needs: 'write',
  input: {
    ref,
    rating: { ...choice(['good', 'neutral', 'bad', '1', '0', '-1'], 'What you think of it.'), isRequired: true },
    feedback: text('Why, in a few words.', { min: 1, max: 1000 }),
  },
  run: ({ engine, caller }, { rating, ...rest }) => engine.rateMemory(caller, { ...rest, rating: WORDS[rating]! }),
  rest: {
    at: 'POST /memories/{ref}/rating',
    summary: 'Rate a memory',
    example: { path: '/memories/06dwp2v4x1k8q3m5r7t9/rating', body: { rating: 'good', feedback: 'Saved me an hour.' } },
    answers: { 200: 'The memory, and its quality before and after.' },
    revisionOf: ({ memory }) => memory.revision,
  },
  command: {
    name: 'rate',
    summary: 'Rate a memory good, neutral or bad',
    usage: 'REF good|neutral|bad',
    about:
      'Ratings are kept with who gave them and when; `ltm quality REF` shows what they come to. What was rated bad is found by searches, but no session is given it by itself.',
    flags: ['feedback'],
    maxWords: 2,
    examples: ['ltm rate 06dwp2v4x1k8q3m5r7t9 good', 'ltm rate deploy-steps bad --feedback "out of date"'],
  },
});

export const evaluateQuality = defineVerb<{ ref: string }, Evaluation>({
  needs: 'write',
  input: { ref },
  run: ({ engine, caller }, { ref: name }) => engine.evaluateQuality(caller, name),
  rest: {
    at: 'POST /memories/{ref}/evaluation',
    summary: "Work out a memory's quality anew from its reads, and by a model if quality_scorer is on",
    answers: { 200: 'The memory, its quality before and after, and who judged.' },
    revisionOf: ({ memory }) => memory.revision,
  },
});
