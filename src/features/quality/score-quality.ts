import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Usage } from '../../model/usage.ts';
import type { QualityEvent, QualityFacts, Rating } from './quality.ts';

const DAY = 86_400_000;
/** Earlier ones are kept as the number they came to. */
const KEPT_EVENTS = 20;

/** For people, in the order of the steps; `usageScore` and `applyEvent` are the same in code. */
export const QUALITY_FORMULA = [
  'quality = the last of: from, then each event in order',
  'stated: quality = value',
  'rated: quality = 0.6 × (rating + 1) / 2 + 0.4 × quality before',
  'used: quality = quality before + 0.3 × (usage − 0.18), at most 1; 0.18 is the usage of what was never read',
  'scored: quality = 0.7 × value + 0.3 × usage',
  'usage = 0.4 × min(1, ln(reads + 1) / ln 100) + 0.3 × e^(−0.1 × days since the last read; 0.1 if never read) + 0.15',
] as const;

/** 0 to 1: how much and how lately something was read. The last summand stands for a place in rankings that nobody keeps. */
export function usageScore({ reads, lastReadAt }: Usage, at: Instant): number {
  const often = Math.min(1, Math.log(reads + 1) / Math.log(100));
  const lately = lastReadAt === null ? 0.1 : Math.exp(-0.1 * Math.max(0, (at - lastReadAt) / DAY));
  return 0.4 * often + 0.3 * lately + 0.3 * 0.5;
}

const UNUSED: Usage = { reads: 0, lastReadAt: null };

function applyEvent(before: number, event: QualityEvent): number {
  switch (event.how) {
    case 'stated':
      return event.value;
    case 'rated':
      return rateOnto(before, event.rating);
    case 'used':
      // Reads only ever raise: that nobody has needed a memory yet says nothing against it.
      return Math.min(1, before + 0.3 * (usageScore(event, event.at) - usageScore(UNUSED, event.at)));
    case 'scored':
      return 0.7 * event.value + 0.3 * usageScore(event, event.at);
  }
}

function rateOnto(before: number, rating: Rating): number {
  return (0.6 * (rating + 1)) / 2 + 0.4 * before;
}

function foldQuality({ from, events }: QualityFacts): number {
  return events.reduce(applyEvent, from);
}

/** Numbers that differ by no more were computed alike. */
const ALIKE = 1e-9;

/** What is known of a record's quality. A number that the known events do not lead to was stated after them. */
export function readQualityFacts({ quality, body, updatedAt }: RecordContent): QualityFacts {
  const kept = body.quality as unknown as QualityFacts | undefined;
  if (kept === undefined) return { from: quality, events: [] };
  if (Math.abs(foldQuality(kept) - quality) <= ALIKE) return kept;
  return { ...kept, events: [...kept.events, { how: 'stated', value: quality, at: updatedAt }] };
}

/** Whether the last that somebody said of its worth is that it is bad: it is found by whoever looks for it, and given to nobody who does not. */
export function isRatedBad(content: RecordContent): boolean {
  if (content.body.quality === undefined) return false;
  const { events, lastRating } = readQualityFacts(content);
  const opinion = lastOpinion(events);
  return (opinion === undefined ? lastRating : opinion) === -1;
}

/** Null: somebody has said the number itself since. */
function lastOpinion(events: readonly QualityEvent[]): Rating | null | undefined {
  const last = events.findLast(({ how }) => how === 'rated' || how === 'stated');
  return last?.how === 'rated' ? last.rating : last === undefined ? undefined : null;
}

/** The record with one more event. Reads that are looked at again take the place of the last look, so that looking often changes nothing. */
export function withQualityEvent(content: RecordContent, event: QualityEvent): RecordContent {
  const { from, events, lastRating } = readQualityFacts(content);
  const isLookedAtAgain = event.how === 'used' && events.at(-1)?.how === 'used';
  const facts = cut({ from, lastRating, events: [...(isLookedAtAgain ? events.slice(0, -1) : events), event] });
  return withQualityFacts(content, facts);
}

function withQualityFacts(content: RecordContent, facts: QualityFacts): RecordContent {
  const body = { ...content.body, quality: facts as unknown as JsonObject };
  return { ...content, quality: foldQuality(facts), body };
}

function cut({ from, events, lastRating }: QualityFacts): QualityFacts {
  const early = events.slice(0, Math.max(0, events.length - KEPT_EVENTS));
  const opinion = lastOpinion(early);
  const rating = opinion === undefined ? lastRating : (opinion ?? undefined);
  const kept = { from: foldQuality({ from, events: early }), events: events.slice(early.length) };
  return rating === undefined ? kept : { ...kept, lastRating: rating };
}
