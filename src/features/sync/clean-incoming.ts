import type { EngineParts } from '../../engine/engine-parts.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import { createRedactor, openRedactor, type Redactor } from '../../engine/records/redact-content.ts';
import { holdsSecret, stampsHoldSecret } from '../../engine/records/screen-stamps.ts';
import type { Caller } from '../../model/caller.ts';
import type { ImportedVersion, TakeChange } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { HeldRecord } from '../../model/held-record.ts';
import type { TakePlan } from '../../model/plan-take.ts';
import type { RecordContent } from '../../model/record.ts';
import { type SharedState, TEXT } from '../../model/shared-state.ts';

type Cleaning = { parts: EngineParts; redactor: Redactor };

/** One record whose key is a secret does not hold up the others: the key goes. */
export function openIncomingRedactor(parts: EngineParts, caller: Caller): Promise<Redactor> {
  return parts.settings.redact === 'replace' ? createRedactor(parts.kinds, 'scrub') : openRedactor(parts, caller);
}

/**
 * A text with a secret in it is not kept: its generation is purged, and the clean text begins the next, so that whoever has the other lets it go. So it is
 * where the secret stands beside the text that shows. What a person wanted to be stored as it is stays.
 */
export async function cleanPlan(cleaning: Cleaning, here: HeldRecord, plan: TakePlan): Promise<TakePlan> {
  const { parts, redactor } = cleaning;
  const take = plan.changes.find((change) => change.op === 'take');
  if (take === undefined || take.record?.source.unredacted === true) return plan;
  const { record, generation, id } = take;
  for (const one of [record, ...newVersions(here, take).map((version) => version.record)])
    if (one !== null) await redactor.readAhead(one.content);
  const before = record !== null && here.record?.dot === record.dot ? here.record : undefined;
  const { content, redactions } =
    record === null ? { content: null, redactions: [] } : redactor.content<RecordContent>(record, before);
  const isClean = !redactions.some(({ replaced }) => replaced) && !hidesSecret(redactor, here, take);
  if (isClean) {
    const versions = cleanVersions(redactor, here, take);
    return { ...plan, changes: plan.changes.map((change) => (change === take ? { ...take, versions } : change)) };
  }
  const others = plan.changes.filter((change) => change !== take && change.op !== 'purge' && change.op !== 'bury');
  const kind = record === null ? undefined : parts.kinds.find(record.kind);
  return {
    isLacking: true,
    changes: [
      ...(here.record === null ? [] : [{ op: 'purge', id, revision: here.record.revision } as const]),
      { op: 'bury', grave: { id, generation, purgedAt: parts.clock.now() } },
      ...others,
      ...(record === null || content === null
        ? []
        : [
            {
              op: 'import',
              record: { ...record, ...content, space: '', revision: 1, generation: generation + 1, dot: null },
              versions: [],
              passages: kind === undefined ? [] : passagesOf(kind, content),
              vectors: [],
            } as const,
          ]),
    ],
  };
}

/** In a text that was written at the same time and does not show, in a relation, or in what a later release keeps of it. */
function hidesSecret(redactor: Redactor, here: HeldRecord, take: TakeChange): boolean {
  const { stamps } = take;
  if (stamps === null) return false;
  const { [TEXT]: texts = {} } = (JSON.parse(stamps) as Pick<SharedState, 'parts'>).parts;
  return (
    stampsHoldSecret(redactor, stamps, here.stamps) ||
    newVersions(here, take).some(
      ({ record }) =>
        texts[record.dot ?? ''] !== undefined &&
        record.source.unredacted !== true &&
        redactor.content(record).redactions.some(({ replaced }) => replaced),
    )
  );
}

function newVersions(here: HeldRecord, { versions }: TakeChange): ImportedVersion[] {
  const held = new Set<string | null>([here.record?.dot ?? null, ...here.versions.map(({ record }) => record.dot)]);
  return versions.filter(({ record: { dot } }) => dot === null || !held.has(dot));
}

/** Earlier states are no part of what replicas compare, so that they are kept without the secret under the same name. */
function cleanVersions(redactor: Redactor, here: HeldRecord, take: TakeChange): ImportedVersion[] {
  const added = new Set(newVersions(here, take));
  return take.versions.map((version) => {
    const { record, reason } = version;
    if (!added.has(version) || record.source.unredacted === true) return version;
    return {
      ...version,
      record: redactor.content(record).content,
      reason: reason === null ? null : redactor.value('reason', reason).value,
    };
  });
}

/** It stays in the feed and among the places of readers. */
export async function checkLinkName(parts: EngineParts, caller: Caller, link: string): Promise<void> {
  const redactor = await openRedactor(parts, caller);
  if (!holdsSecret(redactor, link)) return;
  throw new EngineError('invalid_input', 'The name of the link looks like a secret and cannot be stored.', {
    hint: 'Give it a name of random digits.',
    details: { field: 'link' },
  });
}
