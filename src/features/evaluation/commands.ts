import type { CommandLine } from '../../cli/command.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'eval',
    isLocal: true,
    summary: 'Measure how well search finds things',
    usage: 'FILE… | --own',
    about:
      'Evaluates files of conversations and questions (.json or .json.gz) in a temporary database and compares the results with plain full-text search. With --own, evaluates your own memories and writes nothing. See docs/eval.md.',
    flags: [
      { name: 'own', description: 'Generate questions from your own memories and check whether search finds them.' },
      { name: 'questions', value: 'N', description: 'With --own: how many questions; 200 by default.' },
      { name: 'limit', short: 'n', value: 'N', description: 'Only the first N conversations of each file.' },
      { name: 'k', value: 'N', description: 'The k of R@k: how many top hits count; 10 by default.' },
      {
        name: 'bootstrap',
        value: 'N',
        description: 'Bootstrap samples for the 95 % interval; 1000 by default, 0 for none.',
      },
    ],
    takesSettings: true,
    examples: [
      'ltm eval conversations.json.gz',
      'ltm eval evals/data/*.json.gz --json',
      'ltm eval --own --questions 500',
    ],
    load: async () => (await import('./terminal/evaluate.ts')).evaluate,
  },
];
