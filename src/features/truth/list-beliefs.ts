import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { describeNode } from '../../engine/records/describe-graph.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { StoredRecord, Trust } from '../../model/record.ts';
import type { Belief, ListBeliefsInput } from './belief.ts';
import { judgeStatements } from './judge-statements.ts';
import type { Made } from './space-statements.ts';
import { createAllStatements } from './space-statements.ts';
import type { Statement } from './statement.ts';

/** What one memory alone says is a memory; what several say is a belief. */
const LEAST_SOURCES = 2;
/** Less sure ones are not worth telling. */
const LEAST_CONFIDENCE = 0.35;
const DEFAULT_LIMIT = 20;
const DAY = 86_400_000;
const FADING_DAYS = 30;
/** What contradicts weighs more than what supports. */
const AGAINST = 3;
const WEIGHTS: Readonly<Record<Trust, number>> = { user: 1, agent: 0.6, untrusted: 0.4 };

/** One way of putting it, and who does. */
interface Said {
  statement: Statement;
  ids: Set<RecordId>;
}

/** What current memories of the caller's space state alike, the surest first; recomputed from them each time. */
export async function listBeliefs(
  parts: EngineParts,
  caller: Caller,
  { ids, limit = DEFAULT_LIMIT }: ListBeliefsInput,
): Promise<Belief[]> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const { groups, records } = await parts.state(createAllStatements).fresh(space);
  const keys = ids === undefined ? [...groups.keys()] : [...new Set(ids.flatMap((id) => records.get(id) ?? []))];
  const candidates = keys.flatMap((key) => weighGroup(groups.get(key) ?? []));
  const wanted = candidates.filter(
    ({ said, against }) => ids === undefined || ids.some((id) => said.ids.has(id) || against.has(id)),
  );
  const named = [...new Set(wanted.flatMap(({ said, against }) => [...said.ids, ...against]))];
  const found = named.length === 0 ? [] : await parts.store.getRecords(space, named, passOver);
  const byId = new Map(found.map((record) => [record.id, record]));
  const now = parts.clock.now();
  return wanted
    .flatMap((candidate) => describe(candidate, byId, now) ?? [])
    .sort((a, b) => b.confidence - a.confidence || (a.content < b.content ? -1 : 1))
    .slice(0, limit);
}

interface Candidate {
  said: Said;
  against: Set<RecordId>;
}

/** Of one subject and verb: what is said alike, with those who say what cannot hold beside it. */
function weighGroup(group: readonly Made[]): Candidate[] {
  const variants = new Map<string, Said>();
  for (const { id, statement } of group) {
    const key = `${statement.isNegated} ${statement.object
      .map(({ term }) => term)
      .sort()
      .join(' ')}`;
    const said = variants.get(key) ?? { statement, ids: new Set() };
    said.ids.add(id);
    variants.set(key, said);
  }
  const all = [...variants.values()];
  return all
    .filter(({ ids }) => ids.size >= LEAST_SOURCES)
    .map((said) => ({
      said,
      against: new Set(
        all
          .filter((other) => other !== said && judgeStatements(said.statement, other.statement) !== null)
          .flatMap(({ ids }) => [...ids].filter((id) => !said.ids.has(id))),
      ),
    }));
}

function describe(
  { said, against }: Candidate,
  records: ReadonlyMap<RecordId, StoredRecord>,
  now: Instant,
): Belief | null {
  const read = (ids: ReadonlySet<RecordId>): StoredRecord[] =>
    [...ids].flatMap((id) => records.get(id) ?? []).sort((a, b) => b.createdAt - a.createdAt);
  const [sources, contradicted] = [read(said.ids), read(against)];
  if (sources.length < LEAST_SOURCES) return null;
  const confidence = measure(sources, contradicted, now);
  if (confidence < LEAST_CONFIDENCE) return null;
  return {
    content: said.statement.text,
    confidence,
    status: contradicted.length === 0 ? 'active' : 'disputed',
    sources: sources.map((record) => describeNode(record, null)),
    contradicted: contradicted.map((record) => describeNode(record, null)),
  };
}

/** 1 / (1 + e^−x), x being the weights of those who say it, less three times those who deny it, each faded by its age. */
function measure(sources: readonly StoredRecord[], contradicted: readonly StoredRecord[], now: Instant): number {
  const weigh = (records: readonly StoredRecord[]): number =>
    records.reduce(
      (sum, { trust, createdAt }) => sum + WEIGHTS[trust] * Math.exp(-Math.max(0, now - createdAt) / DAY / FADING_DAYS),
      0,
    );
  return 1 / (1 + Math.exp(AGAINST * weigh(contradicted) - weigh(sources)));
}
