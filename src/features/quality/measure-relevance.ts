import type { Instant } from '../../model/ids.ts';
import type { MemoryTypes } from '../../model/memory-types.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Usage } from '../../model/usage.ts';
import type { Relevance } from './quality.ts';

const DAY = 86_400_000;

export const RELEVANCE_FORMULA = [
  'relevance = base × e^(−age ÷ retention) × (1 + 0.1 × connections) × access × (1 + 0.5 × quality), at least 0.5 if protected',
  'base = metadata.importance_score (0 to 2), or the highest of the tags critical 2, important 1.5, urgent 1.4, reference 1.3, project 1.2, personal 1.1, or 1',
  'age = days since it was created or changed; retention = days by its type and tags',
  'access = 1.5 if read within a day, 1.2 within 7 days, 1.1 within 30 days, otherwise 1',
  'quality × 1.2, at most 1, with 5 connections or more',
] as const;

const BASE_OF_TAG: Readonly<Record<string, number>> = {
  critical: 2,
  important: 1.5,
  urgent: 1.4,
  reference: 1.3,
  project: 1.2,
  personal: 1.1,
};

/** Days by base type; a subtype has its base's. */
const RETENTION_OF_TYPE: Readonly<Record<string, number>> = {
  decision: 365,
  preference: 365,
  learning: 180,
  milestone: 180,
  stakeholder: 180,
  research: 180,
  pattern: 90,
  planning: 90,
  meeting: 90,
};
const USUAL_RETENTION = 30;
const RETENTION_OF_TAG: Readonly<Record<string, number>> = { critical: 365, permanent: 365, reference: 180 };
const TEMPORARY_RETENTION = 7;
const TEMPORARY = 'temporary';
const TEMPORARY_TAGS: readonly string[] = [TEMPORARY, 't:temporary'];

const ACCESS: readonly (readonly [days: number, factor: number])[] = [
  [1, 1.5],
  [7, 1.2],
  [30, 1.1],
];
const MANY_CONNECTIONS = 5;
const LEAST_PROTECTED = 0.5;
/** A mistake that was made so often is a lesson. */
const FAILURES_TO_KEEP = 3;

export interface Protection {
  tags: readonly string[];
  types: readonly string[];
}

/** What a memory is judged by besides itself. */
export interface RelevanceFacts {
  usage: Usage;
  connections: number;
  now: Instant;
  memoryTypes: MemoryTypes;
  protection: Protection;
}

export function measureRelevance(content: RecordContent, facts: RelevanceFacts): Relevance {
  const { usage, connections, now } = facts;
  const [base, baseFrom] = baseOf(content);
  const ageDays = Math.max(0, now - Math.max(content.createdAt, content.updatedAt)) / DAY;
  const retentionDays = retentionOf(content, facts.memoryTypes);
  const decayFactor = Math.exp(-ageDays / retentionDays);
  const connectionBoost = 1 + 0.1 * connections;
  const daysSinceRead = daysSince(usage, now);
  const accessBoost = ACCESS.find(([days]) => daysSinceRead !== null && daysSinceRead <= days)?.[1] ?? 1;
  const quality = connections >= MANY_CONNECTIONS ? Math.min(1, content.quality * 1.2) : content.quality;
  const qualityBoost = 1 + 0.5 * quality;
  const protectedBy = findProtection(content, facts.protection);
  const product = base * decayFactor * connectionBoost * accessBoost * qualityBoost;
  return {
    value: protectedBy === null ? product : Math.max(LEAST_PROTECTED, product),
    base,
    baseFrom,
    ageDays,
    retentionDays,
    decayFactor,
    connections,
    connectionBoost,
    daysSinceRead,
    accessBoost,
    quality,
    qualityBoost,
    isProtected: protectedBy !== null,
    protectedBy,
  };
}

export function daysSince({ lastReadAt }: Usage, now: Instant): number | null {
  return lastReadAt === null ? null : Math.max(0, now - lastReadAt) / DAY;
}

function baseOf({ tags, body }: RecordContent): [base: number, from: string] {
  const importance = metadataOf(body).importance_score;
  if (typeof importance === 'number' && importance >= 0) return [Math.min(2, importance), 'metadata.importance_score'];
  const [best] = tags
    .flatMap((tag) => (tag in BASE_OF_TAG ? [tag] : []))
    .sort((a, b) => BASE_OF_TAG[b]! - BASE_OF_TAG[a]!);
  return best === undefined ? [1, 'none'] : [BASE_OF_TAG[best]!, `tag ${best}`];
}

function metadataOf(body: RecordContent['body']): Readonly<Record<string, unknown>> {
  return (body.metadata ?? {}) as Readonly<Record<string, unknown>>;
}

function retentionOf(content: RecordContent, types: MemoryTypes): number {
  if (isTemporary(content)) return TEMPORARY_RETENTION;
  const base = Object.keys(types).find((name) => name === content.type || types[name]!.includes(content.type));
  const byType = RETENTION_OF_TYPE[base ?? ''] ?? USUAL_RETENTION;
  return Math.max(byType, ...content.tags.map((tag) => RETENTION_OF_TAG[tag] ?? 0));
}

export function isTemporary({ type, tags }: RecordContent): boolean {
  return type === TEMPORARY || tags.some((tag) => TEMPORARY_TAGS.includes(tag));
}

/** Why a memory is spared whatever it is worth; null: it is not. Whoever gave it a key looks for it by that name. */
export function findProtection(content: RecordContent, { tags, types }: Protection): string | null {
  const tag = content.tags.find((one) => tags.includes(one));
  if (tag !== undefined) return `tag ${tag}`;
  if (types.includes(content.type)) return `type ${content.type}`;
  if (content.key !== null) return 'key';
  const failures = metadataOf(content.body).failure_count;
  return content.type === 'mistake' && typeof failures === 'number' && failures >= FAILURES_TO_KEEP
    ? `${failures} failures`
    : null;
}
