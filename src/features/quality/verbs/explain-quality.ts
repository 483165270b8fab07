import { type Field, ref } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { AnalyzeInput } from '../analyze-quality.ts';
import type { QualityAnalysis, QualityReport } from '../quality.ts';

export const explainQuality = defineVerb<{ ref: string }, QualityReport>({
  needs: 'read',
  input: { ref },
  run: ({ engine, caller }, { ref: name }) => engine.explainQuality(caller, name),
  rest: {
    at: 'GET /memories/{ref}/quality',
    summary: "A memory's quality and relevance, with the facts and the formula they follow from",
    answers: { 200: 'The numbers, and everything that goes into them. Asking does not count as a read.' },
  },
});

const fraction = (about: string): Field => ({ type: 'number', min: 0, max: 1, about });

export const analyzeQuality = defineVerb<AnalyzeInput, QualityAnalysis>({
  needs: 'read',
  input: {
    min: fraction('Only memories of at least this quality.'),
    max: fraction('Only memories of at most this quality.'),
  },
  run: ({ engine, caller }, input) => engine.analyzeQuality(caller, input),
  rest: {
    at: 'GET /quality',
    summary: 'How the quality of your memories is spread',
    answers: { 200: 'Totals, bands, and the ten best and worst.' },
  },
  command: {
    name: 'quality',
    summary: 'Show how good memories are, and why',
    usage: '[REF]',
    about:
      'Without REF: how quality is spread over all memories. With REF: the quality and relevance of that memory, with every fact and the formula they follow from. See docs/consolidation.md.',
    flags: ['min', 'max'],
    own: [{ name: 'evaluate', description: 'With REF: work it out anew, by a model if quality_scorer is on.' }],
    maxWords: 1,
    examples: ['ltm quality', 'ltm quality --max 0.4', 'ltm quality 06dwp2v4x1k8q3m5r7t9'],
  },
});
