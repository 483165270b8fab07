import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock } from '../../engine/ports.ts';
import { derivedRecordId, type Instant, type SpaceId } from '../../model/ids.ts';
import { withSubtypes } from '../../model/memory-types.ts';
import { createRecordTest } from '../../search/filter-mask.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import type { Insight, InsightKind } from './insight.ts';

const DAY = 86_400_000;
const LEAST_TOGETHER = 5;
const LEAST_RECENT = 2;
const RECENT_DAYS = 7;
const EARLIER_DAYS = 30;
const MOST_CARDS = 50;
/** Pairs grow with the square of a memory's tags. */
const MOST_TAGS = 12;
/** Tags that say how a memory came about or what state it is in, not what it is about. */
const STATUS_TAGS = new Set([
  'untagged',
  'cluster',
  'compressed',
  'association',
  'discovered',
  'auto-generated',
  'insight-card',
  'insight-ack',
  'acknowledged',
  'mistake-note',
  'error-replay',
  'session-harvest',
  'llm-verified',
  'temporary',
  't:temporary',
  'pattern',
  'trend',
  'gap',
  'critical',
  'important',
  'urgent',
  'permanent',
]);
const STATUS_PREFIX = /^(?:agent|source|session|chunk|source_file|file_type|upload_id|source_dir|harvest|conflict):/;

/** Labels of one memory, as the index has them. */
export interface LabelledMemory {
  tags: string[];
  type: string;
  createdAt: Instant;
}

/** Cards from the labels of all current memories: nothing is read from the store for them. */
export async function findInsights(parts: EngineParts, space: SpaceId): Promise<Omit<Insight, 'isAcknowledged'>[]> {
  const memories = await readLabels(parts, space);
  const decisions = new Set(withSubtypes(parts.settings.memoryTypes, ['decision']));
  return composeInsights(memories, { now: parts.clock.now(), decisions, except: parts.settings.insightExcludeTags });
}

function readLabels(
  { indexes, clock }: { indexes: SpaceIndexes; clock: Clock },
  space: SpaceId,
): Promise<LabelledMemory[]> {
  return indexes.search([space], (set) =>
    set.parts.flatMap(({ part }) => {
      const { columns } = part;
      const passes = createRecordTest(part, { kindCodes: [memoryKind.code] }, clock.now());
      const found: LabelledMemory[] = [];
      for (let record = 0; record < columns.recordCount; record++) {
        if (!passes(record)) continue;
        const codes = columns.tags.subarray(columns.tagStart[record]!, columns.tagStart[record + 1]!);
        const tags = Array.from(codes, (code) => columns.labels.textOf(code));
        found.push({ tags, type: columns.labels.textOf(columns.type[record]!), createdAt: columns.createdAt[record]! });
      }
      return found;
    }),
  );
}

interface InsightFacts {
  now: Instant;
  decisions: ReadonlySet<string>;
  except: readonly string[];
}

interface TagFacts {
  memories: number;
  recent: number;
  recentTypes: Set<string>;
  earlierTypes: Set<string>;
  decisions: number;
}

function composeInsights(memories: readonly LabelledMemory[], facts: InsightFacts): Omit<Insight, 'isAcknowledged'>[] {
  const byTag = new Map<string, TagFacts>();
  const pairs = new Map<string, number>();
  for (const memory of memories) {
    const tags = memory.tags
      .filter((tag) => isTelling(tag, facts.except))
      .sort()
      .slice(0, MOST_TAGS);
    for (const [i, tag] of tags.entries()) {
      countTag(byTag, tag, memory, facts);
      for (const other of tags.slice(i + 1)) pairs.set(`${tag}\n${other}`, (pairs.get(`${tag}\n${other}`) ?? 0) + 1);
    }
  }
  const cards = [
    ...[...pairs]
      .filter(([, count]) => count >= LEAST_TOGETHER)
      .map(([pair, count]) => patternOf(pair.split('\n'), count)),
    ...[...byTag].flatMap(([tag, found]) => trendOf(tag, found)),
    ...[...byTag].flatMap(([tag, found]) => gapOf(tag, found)),
  ];
  return cards
    .sort((a, b) => b.confidence - a.confidence || b.memories - a.memories || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_CARDS);
}

function isTelling(tag: string, except: readonly string[]): boolean {
  return !STATUS_TAGS.has(tag) && !STATUS_PREFIX.test(tag) && !except.includes(tag);
}

function countTag(byTag: Map<string, TagFacts>, tag: string, memory: LabelledMemory, facts: InsightFacts): void {
  const known = byTag.get(tag) ?? {
    memories: 0,
    recent: 0,
    decisions: 0,
    recentTypes: new Set<string>(),
    earlierTypes: new Set<string>(),
  };
  byTag.set(tag, known);
  known.memories++;
  if (facts.decisions.has(memory.type)) known.decisions++;
  const age = facts.now - memory.createdAt;
  if (age <= RECENT_DAYS * DAY) {
    known.recent++;
    known.recentTypes.add(memory.type);
  } else if (age > EARLIER_DAYS * DAY) known.earlierTypes.add(memory.type);
}

function patternOf(tags: string[], memories: number) {
  const text = `Pattern: ${memories} memories bear both tags ${tags.join(' and ')}.`;
  return card('pattern', tags, { text, memories, confidence: Math.min(1, memories / 10) });
}

function trendOf(tag: string, { recent, recentTypes, earlierTypes }: TagFacts) {
  const [now, then] = [[...recentTypes].sort(), [...earlierTypes].sort()];
  if (recent < LEAST_RECENT || then.length === 0 || now.join() === then.join()) return [];
  const text = `Trend: ${recent} memories of the last ${RECENT_DAYS} days bear the tag ${tag}, of type ${now.join(', ')}; older ones are of type ${then.join(', ')}.`;
  return [card('trend', [tag], { text, memories: recent, confidence: 0.6, recentTypes: now, earlierTypes: then })];
}

function gapOf(tag: string, { memories, decisions }: TagFacts) {
  if (memories < LEAST_TOGETHER || decisions > 0) return [];
  const text = `Gap: ${memories} memories bear the tag ${tag}, and none of them is a decision.`;
  return [card('gap', [tag], { text, memories, confidence: 0.5 })];
}

type CardFacts = Pick<Insight, 'text' | 'memories' | 'confidence'> &
  Partial<Pick<Insight, 'recentTypes' | 'earlierTypes'>>;

function card(kind: InsightKind, tags: string[], facts: CardFacts): Omit<Insight, 'isAcknowledged'> {
  const id = derivedRecordId(`insight\n${kind}\n${tags.join('\n')}`);
  return { id, kind, tags, recentTypes: [], earlierTypes: [], ...facts };
}
