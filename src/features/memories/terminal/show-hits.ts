import { safeLine, showCount, showTime } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { cutText, wrapText } from '../../../cli/text-width.ts';
import { describeLeftOut } from '../../../model/damage.ts';
import type { Instant } from '../../../model/ids.ts';
import type { Found, FoundHit } from '../verbs/search-memories.ts';
import { highlightWords } from './highlight-words.ts';
import { showLabels } from './show-memory.ts';

const INDENT = '    ';
const SNIPPET_LINES = 4;
const CONFIDENCE_COLUMNS = 7;
const GAP = '  ';
/** Where nothing is relevant, more than these are not worth the lines. */
const MAX_NEAREST = 5;

interface ShowOptions {
  now: Instant;
  explain: boolean;
  /** Weak hits as the others. */
  all: boolean;
}

/** What bears on the question in full, and below it what is weaker, a dim line each. */
export function showHits(result: Found, terminal: Terminal, options: ShowOptions): void {
  const { print, paint } = terminal;
  const isNothing = result.verdict === 'nothing';
  const isShort = (hit: FoundHit): boolean => hit.weak && !options.all && !options.explain;
  const hits = isNothing && result.hits.every(isShort) ? result.hits.slice(0, MAX_NEAREST) : result.hits;
  if (isNothing)
    print(
      hits.length > 0
        ? 'Nothing relevant found. The nearest:\n'
        : result.weaker > 0
          ? 'Nothing relevant found.'
          : 'Nothing found.',
    );
  hits.forEach((hit, at) => {
    if (at > 0 && !(isShort(hit) && isShort(hits[at - 1]!))) print('');
    if (isShort(hit)) print(paint('dim', describeWeak(hit, at + 1, terminal.width)));
    else showHit(hit, at + 1, terminal, options);
  });
  if (hits.length > 0) print(`\n${paint('dim', describeAnswer(result, hits, isShort))}`);
  const damage = result.damaged === undefined ? null : describeLeftOut(result.damaged);
  // Said as a warning of its own.
  for (const notice of result.notices) if (notice !== damage) terminal.note(safeLine(notice));
}

function describeWeak({ id, snippet }: FoundHit, rank: number, columns: number): string {
  const number = `${String(rank).padStart(2)}  `;
  const name = safeLine(id);
  return `${number}${cutText(safeLine(snippet), columns - number.length - name.length - GAP.length)}${GAP}${name}`;
}

function showHit(hit: FoundHit, rank: number, terminal: Terminal, { now, explain }: ShowOptions): void {
  const { print, paint } = terminal;
  const [title, ...text] = layOut(hit, terminal.width - INDENT.length);
  const mark = (line: string): string =>
    terminal.showsColours ? highlightWords(line, hit.why.words, (word) => paint('underline', word)) : line;
  const confidence = paint(hit.confidence >= 0.5 ? 'green' : 'yellow', `${Math.round(hit.confidence * 100)} %`);
  print(`${paint('dim', String(rank).padStart(2))}  ${paint('bold', mark(title!))}  ${confidence}`);
  for (const line of text) print(INDENT + mark(line));
  print(INDENT + showLabels(hit, terminal, now));
  if (hit.packet !== undefined)
    print(INDENT + paint('dim', `packet ${safeLine(hit.packet.id)} ${hit.packet.part}`.trimEnd()));
  const where = hit.section ?? hit.document;
  if (where !== undefined) print(INDENT + paint('dim', safeLine(showPlace(where))));
  if (explain) print(INDENT + paint('dim', explainHit(hit)));
}

/** As people cite it: the file, then the page or the line. */
function showPlace({ uri, ...where }: NonNullable<FoundHit['section'] | FoundHit['document']>): string {
  if (!('headings' in where)) return uri;
  if (where.page !== null) return `${uri}, page ${where.page}`;
  return where.line === null ? uri : `${uri}:${where.line}`;
}

/** The title and the lines around the match; a snippet that begins with the title stands for both. */
function layOut({ title, snippet }: FoundHit, columns: number): string[] {
  const head = safeLine(title);
  const body = safeLine(snippet);
  const startsWithTitle = body.startsWith(head.replace(/…$/, '').trimEnd());
  const lines = wrapText(body, columns - CONFIDENCE_COLUMNS);
  const shown =
    lines.length > SNIPPET_LINES ? [...lines.slice(0, SNIPPET_LINES - 1), `${lines[SNIPPET_LINES - 1]}…`] : lines;
  return startsWithTitle && shown.length > 0 ? shown : [cutText(head, columns - CONFIDENCE_COLUMNS), ...shown];
}

function explainHit({ score, why }: FoundHit): string {
  const parts = [`score ${score.toFixed(3)}`, `by ${why.matched.join(', ')}`];
  if (why.words.length > 0) parts.push(`words ${why.words.map(safeLine).join(' ')}`);
  if (why.text !== null) parts.push(`text ${why.text.toFixed(3)}`);
  if (why.meaning !== null) parts.push(`meaning ${why.meaning.toFixed(3)}`);
  for (const [name, factor] of Object.entries(why.weights)) parts.push(`${name} × ${factor.toFixed(2)}`);
  return parts.join(' · ');
}

const SEARCHED_BY: Record<Found['searchedBy'], string> = {
  text: 'by words',
  meaning: 'by meaning',
  'text+meaning': 'by words and meaning',
  filter: 'newest first',
  exact: 'literal match, newest first',
};

function describeAnswer(result: Found, shown: readonly FoundHit[], isShort: (hit: FoundHit) => boolean): string {
  const { timeRange, truncated, cursor, weaker, hits, total, atLeast, searchedBy } = result;
  const isListed = searchedBy === 'filter' || searchedBy === 'exact';
  const parts = [
    isListed
      ? `${hits.length} of ${atLeast === true ? 'at least ' : ''}${showCount(total, 'match', 'matches')}`
      : countShown(hits.length, shown, isShort),
    SEARCHED_BY[searchedBy],
  ];
  const leftOut = weaker - hits.filter((hit) => hit.weak).length;
  if (leftOut > 0) parts.push(`${leftOut} weaker left out`);
  if (timeRange?.after != null) parts.push(`from ${showTime(timeRange.after)}`);
  if (timeRange?.before != null) parts.push(`before ${showTime(timeRange.before)}`);
  if (truncated !== null) parts.push(`${truncated.omitted} omitted to limit the length`);
  else if (cursor !== null) parts.push(`more with --cursor ${cursor}`);
  return parts.join(' · ');
}

function countShown(found: number, shown: readonly FoundHit[], isShort: (hit: FoundHit) => boolean): string {
  if (shown.length < found) return `${shown.length} of ${found}: --all shows them all, in full`;
  const short = shown.filter(isShort).length;
  const strong = showCount(shown.length - short, 'hit');
  if (short === 0) return strong;
  const weaker = `${short} weaker: --all shows them in full`;
  return short === shown.length ? weaker : `${strong}, ${weaker}`;
}
