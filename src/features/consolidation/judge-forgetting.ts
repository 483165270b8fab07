import type { Instant } from '../../model/ids.ts';
import type { ForgetReason } from '../../model/memory.ts';
import type { Judged } from '../quality/gather-facts.ts';
import { isTemporary } from '../quality/measure-relevance.ts';
import { readQualityFacts } from '../quality/score-quality.ts';
import type { ForgetMode } from './consolidation.ts';

const DAY = 86_400_000;
const TEMPORARY_DAYS = 7;
const DISLIKED = 0.35;
const DISLIKED_DAYS = 30;
const IRRELEVANT = 0.1;
/** Days without anybody needing it, by quality; below the last the days shrink with it. */
const INACTIVE_DAYS = [
  [0.7, 365],
  [0.5, 180],
] as const;
const LEAST_INACTIVE_DAYS = 30;
const MOST_POOR_DAYS = 90;
/** A text that consists of nothing else was typed to see whether storing works. */
const FILLER =
  /^(?:test(?:ing|s)?|asdf\w*|qwert\w*|lorem|ipsum|foo|bar|baz|temp|tmp|xxx+|hello|world|\d|[\p{P}\p{S}])+$/iu;

/** Why a memory may go, or null. What is protected is not asked about. */
export function findForgetReason(judged: Judged, mode: ForgetMode, now: Instant): ForgetReason | null {
  if (mode === 'off') return null;
  const { record, relevance } = judged;
  const idleDays = (now - lastNeeded(judged)) / DAY;
  if (isTemporary(record) && idleDays > TEMPORARY_DAYS) return 'temporary';
  if (isNoise(record.content)) return 'noise';
  if (isDisliked(judged) && idleDays > DISLIKED_DAYS) return 'disliked';
  if (mode !== 'aged') return null;
  if (relevance.value < IRRELEVANT) return 'irrelevant';
  return idleDays > mostIdleDays(record.quality) ? 'inactive' : null;
}

function lastNeeded({ record, usage }: Judged): Instant {
  return Math.max(record.createdAt, record.updatedAt, usage.lastReadAt ?? 0);
}

function isNoise(content: string): boolean {
  const words = content.split(/\s+/).filter((word) => word !== '');
  return words.every((word) => FILLER.test(word)) && !/\d{2}/.test(content);
}

/** The last word of somebody on it was a bad one, and it has not become better since. */
function isDisliked({ record }: Judged): boolean {
  if (record.quality >= DISLIKED) return false;
  const rating = readQualityFacts(record).events.findLast(({ how }) => how === 'rated');
  return rating?.how === 'rated' && rating.rating === -1;
}

function mostIdleDays(quality: number): number {
  const found = INACTIVE_DAYS.find(([least]) => quality >= least);
  if (found !== undefined) return found[1];
  return LEAST_INACTIVE_DAYS + (MOST_POOR_DAYS - LEAST_INACTIVE_DAYS) * (quality / 0.5);
}
