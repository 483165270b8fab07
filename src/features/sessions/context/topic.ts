import { createHash } from 'node:crypto';
import { isStopWord } from '../../../search/text/stop-words.ts';
import { tokenize } from '../../../search/text/tokenize.ts';

/** Words that ask for something without saying what. */
const FILLERS: ReadonlySet<string> = new Set(
  tokenize(
    'ok okay yes go on continue please thanks thank good great now next make add fix change update try again look see want need let lets help bitte weiter mach machen danke oui merci continue sigue gracias favor obrigado 继续 好的 続けて',
  ),
);
const MOST_TERMS = 40;
/** A prompt with fewer telling words says nothing of its topic. */
const FEWEST_TERMS = 2;
/** Less than this share of its words was said in the last prompts: it is about something else. */
const SAME_FROM = 0.2;

/** What a prompt is about: its words as the index knows them, without those that only ask. */
export function readTopic(prompt: string): string[] {
  const terms = tokenize(prompt.slice(0, 4_000)).filter(
    (term) => term.length > 1 && !isStopWord(term) && !FILLERS.has(term),
  );
  return [...new Set(terms)].slice(0, MOST_TERMS);
}

export function isVague(topic: readonly string[]): boolean {
  return topic.length < FEWEST_TERMS;
}

/** Whether a prompt goes on with what the prompts before it were about, all as terms or all as marks; one that says nothing of its own does. */
export function isSameTopic(topic: readonly string[], before: readonly (readonly string[])[]): boolean {
  if (before.length === 0) return false;
  if (isVague(topic)) return true;
  const said = new Set(before.flat());
  return topic.filter((term) => said.has(term)).length / topic.length >= SAME_FROM;
}

/** What can be kept of a topic: enough to know its words again, none of the words. */
export function markTopic(topic: readonly string[]): string[] {
  return topic.map((term) => createHash('sha256').update(term).digest('base64url').slice(0, 8));
}
