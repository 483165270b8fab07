import type { Found, OwnEvaluation } from '../server/run-evaluation.ts';
import { safeLine } from './safe-text.ts';
import { showCount } from './show-age.ts';
import { showTable } from './show-table.ts';
import type { Terminal } from './terminal.ts';
import { cutText, wrapText } from './text-width.ts';

const KINDS: Record<OwnEvaluation['byKind'][number]['kind'], string> = {
  rare_words: 'a few rare words',
  no_identifiers: 'words without identifiers',
  half_the_words: 'half the words of a sentence',
  other_words: 'some words replaced',
  question: 'what, which, why',
  two_words: 'any two words',
};

const MEANING =
  'What it tells: whether a memory comes back when somebody remembers some of its words. A low figure is a real problem. ' +
  'What it does not tell: whether questions in entirely different words find it, since these are made from the memories themselves by rule, ' +
  'and some make little sense; and another memory that says the same may rightly come first. Nothing was written.';

export function showOwnEvaluation(own: OwnEvaluation, terminal: Terminal): void {
  const { print, paint, width } = terminal;
  const { memories, all, byKind, text, semantic, nothingRate, misses, searchP50Ms, searchP95Ms } = own;
  print(`${showCount(all.questions, 'question')} made from ${showCount(memories, 'memory', 'memories')}\n`);
  const rows = [
    ['ltm search', ...figuresOf(all)],
    ...byKind.map(({ kind, found }) => [`  ${KINDS[kind]}`, ...figuresOf(found)]),
    ['words alone', ...figuresOf(text)],
    ...(semantic === null ? [] : [['meaning alone', ...figuresOf(semantic)]]),
  ];
  showTable(['the memory was found', 'questions', 'first', 'in 5', 'in 10'], rows, terminal);
  if (semantic === null) print(paint('dim', 'There was no embedder: searched by words.'));
  print(
    `\n${percent(nothingRate)} were answered "nothing". Search p50 ${searchP50Ms.toFixed(2)} ms, p95 ${searchP95Ms.toFixed(2)} ms.`,
  );
  if (misses.length > 0) {
    print(`\n${paint('bold', 'Worst misses')}`);
    for (const { rank, kind, id, title } of misses) {
      print(
        cutText(
          `  ${rank === null ? '>100' : String(rank).padStart(4)}  ${id}  ${safeLine(title)}  (${KINDS[kind]})`,
          width,
        ),
      );
    }
  }
  print('');
  for (const line of wrapText(MEANING, width)) print(paint('dim', line));
}

function figuresOf({ questions, at1, at5, at10 }: Found): string[] {
  return [questions.toLocaleString('en'), percent(at1), percent(at5), percent(at10)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
