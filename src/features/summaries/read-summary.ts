import { cutText } from '../../model/cut-text.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { Spent, Summary } from './summarizer-port.ts';

/** What the model may call it; anything else is a note. */
export const SUMMARY_TYPES: readonly string[] = [
  'decision',
  'bugfix',
  'feature',
  'refactor',
  'discovery',
  'pattern',
  'change',
  'note',
];

const SUMMARY_CHARS = 120;
const MOST = 5;
const NAME_CHARS = 200;

interface Completion {
  choices?: { message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
}

type Tokens = Omit<Spent, 'calls'>;

/** What a chat completion says; `summary` is null where its text is not the JSON object that was asked for. */
export function readSummary(body: string): { summary: Summary | null; spent: Tokens } {
  const { said, spent } = readAnswer(body);
  return { summary: toSummary(said), spent };
}

/** The same where a score from 0 to 1 was asked for. */
export function readScore(body: string): { score: number | null; spent: Tokens } {
  const { said, spent } = readAnswer(body);
  const score = typeof said?.score === 'number' ? said.score : Number.NaN;
  return { score: score >= 0 && score <= 1 ? score : null, spent };
}

/** Models like to wrap the object in a code block. */
function readAnswer(body: string): { said: Record<string, unknown> | null; spent: Tokens } {
  const completion = parse(body) as Completion | null;
  const usage = completion?.usage;
  const spent = { inputTokens: count(usage?.prompt_tokens), outputTokens: count(usage?.completion_tokens) };
  const text = completion?.choices?.[0]?.message?.content;
  const json = typeof text === 'string' ? text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1) : '';
  return { said: parse(json) as Record<string, unknown> | null, spent };
}

function toSummary(said: Record<string, unknown> | null): Summary | null {
  const summary = oneLine(said?.summary, SUMMARY_CHARS);
  if (said === null || summary === '') return null;
  const type = String(said.type ?? '').toLowerCase();
  return {
    summary,
    type: SUMMARY_TYPES.includes(type) ? type : 'note',
    files: names(said.files),
    concepts: names(said.concepts),
  };
}

function names(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map((one) => oneLine(one, NAME_CHARS)) : [];
  return [...new Set(list.filter((one) => one !== ''))].slice(0, MOST);
}

function oneLine(value: unknown, maxChars: number): string {
  return typeof value === 'string'
    ? cutText(cleanText(value).replace(/\s+/g, ' ').trim(), maxChars).toWellFormed()
    : '';
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    // What a service sends is its own affair: the result says that it is of no use.
    return null;
  }
}
