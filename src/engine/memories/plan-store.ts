import { canonicalJson } from '../../model/canonical-json.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { checkContent } from '../records/check-text.ts';
import { findCurrent } from '../records/find-records.ts';
import { lowestTrust } from '../records/origin.ts';
import { mergeJsonObject } from '../records/read-json-object.ts';
import { OPEN_FIELDS } from '../records/read-plain-fields.ts';
import { contentOf } from '../records/record-changes.ts';
import { findResembling, type Resembling, resemblance } from './find-resembling.ts';
import { memoryKind } from './memory-kind.ts';
import { orUntagged } from './memory-tags.ts';
import type { NewMemory } from './new-memory.ts';
import { planSplit } from './plan-split.ts';
import { type Planning, planDuplicate, planNew, planRefusal, planReplace, type StorePlan } from './store-plan.ts';

/** Compares a draft with what is there and says what to write. The store may move on meanwhile: the commit notices, and the plan is made anew. */
export async function planStore(planning: Planning): Promise<StorePlan> {
  const { parts, space, draft } = planning;
  const { kind, key, project, contentHash } = draft.content;
  const named = key === null ? null : await findCurrent(parts.store, space, { kind, project, key });
  if (named !== null) return planKeyed(planning, named);
  const { splitChars } = parts.settings;
  if (splitChars > 0 && draft.content.content.length > splitChars && key === null) return planSplit(planning);
  if (draft.policy === 'store') return planNew(planning, { resembles: [], unlessDuplicate: false });
  const same = await findCurrent(parts.store, space, { kind, project, contentHash });
  if (same !== null && key === null) return planExact(planning, same);
  const near = draft.skipsNearCheck || planning.comparesLater === true ? [] : await findResembling(planning);
  // A key is a name of its own: the same text under another name counts as a near copy, or nobody would find it by the new key.
  const others =
    same === null ? near : [{ record: same, similarity: 1 }, ...near.filter(({ record }) => record.id !== same.id)];
  return planNear(planning, others);
}

/** The key names a memory: it takes the new text, and of the labels those that the caller gave. */
async function planKeyed(planning: Planning, named: StoredRecord): Promise<StorePlan> {
  const { draft, now } = planning;
  const { content: fresh, given } = draft;
  const content: RecordContent = {
    ...contentOf(named),
    ...Object.fromEntries(OPEN_FIELDS.map((name) => [name, fresh[name] ?? named[name]])),
    content: fresh.content,
    contentHash: fresh.contentHash,
    type: given.type ? fresh.type : named.type,
    tags: given.tags ? fresh.tags : named.tags,
    body: given.metadata ? fresh.body : named.body,
    quality: given.quality ? fresh.quality : named.quality,
  };
  if (canonicalJson(content) === canonicalJson(contentOf(named))) return planDuplicate(planning, named);
  const { source, trust } = fresh;
  return planReplace(planning, named, {
    content: { ...content, source, trust, updatedAt: now },
    outcome: 'updated',
    resembles: [],
    unlessDuplicate: false,
  });
}

async function planExact(planning: Planning, same: StoredRecord): Promise<StorePlan> {
  switch (planning.draft.policy) {
    case 'merge': {
      const content = mergeInto(same, planning.draft, same.content);
      if (canonicalJson(content) === canonicalJson(contentOf(same))) return planDuplicate(planning, same);
      const resembles = [resemblance({ record: same, similarity: 1 })];
      return planReplace(planning, same, {
        content: { ...content, updatedAt: planning.now },
        outcome: 'merged',
        resembles,
        unlessDuplicate: false,
      });
    }
    case 'supersede':
      return planNew(planning, {
        resembles: [resemblance({ record: same, similarity: 1 })],
        unlessDuplicate: false,
        supersedes: same,
      });
    case 'refuse':
      return planRefusal(planning, [resemblance({ record: same, similarity: 1 })]);
    default:
      return planDuplicate(planning, same);
  }
}

async function planNear(planning: Planning, others: readonly Resembling[]): Promise<StorePlan> {
  const { draft, now } = planning;
  const resembles = others.map(resemblance);
  const unlessDuplicate = draft.content.key === null;
  const target = others[0]?.record;
  if (target === undefined || draft.policy === 'report') return planNew(planning, { resembles, unlessDuplicate });
  if (draft.policy === 'refuse') return planRefusal(planning, resembles);
  if (draft.policy === 'supersede') return planNew(planning, { resembles, unlessDuplicate, supersedes: target });
  if (draft.content.key !== null && target.key !== null) return planNew(planning, { resembles, unlessDuplicate });
  const fresh = draft.content.content;
  if (draft.policy === 'merge') {
    const content = { ...mergeInto(target, draft, fresh), updatedAt: now };
    return planReplace(planning, target, { content, outcome: 'merged', resembles, unlessDuplicate });
  }
  // A request that is sent again must not grow the memory again.
  if (target.content.includes(fresh.trim())) return planDuplicate(planning, target);
  const content = { ...mergeInto(target, draft, `${target.content.trimEnd()}\n\n${fresh}`), updatedAt: now };
  checkContent(content.content, planning.parts.settings.maxContentChars);
  return planReplace(planning, target, { content, outcome: 'appended', resembles, unlessDuplicate });
}

function mergeInto(target: StoredRecord, draft: NewMemory, text: string): RecordContent {
  const { content: fresh, given } = draft;
  const metadata = mergeJsonObject('metadata', target.body.metadata as JsonObject, fresh.body.metadata as JsonObject);
  return memoryKind.derive({
    ...contentOf(target),
    content: text,
    key: target.key ?? fresh.key,
    type: given.type ? fresh.type : target.type,
    tags: orUntagged(target.tags, fresh.tags),
    trust: lowestTrust(target.trust, fresh.trust),
    quality: given.quality ? fresh.quality : target.quality,
    body: { ...target.body, metadata },
  });
}
