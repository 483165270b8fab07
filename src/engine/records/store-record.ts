import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError } from '../../model/errors.ts';
import { type Instant, newRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { lateFunctions } from '../../model/late.ts';
import type { StorableValues, UpdatableValues } from '../../model/memory-fields.ts';
import type { RecordContent, RecordKind, RecordState, StoredRecord } from '../../model/record.ts';
import { describeRedactions, type Redaction } from '../../model/redaction.ts';
import { type AllowUnredacted, type FieldFinding, withoutAllowed } from '../../privacy/field-finding.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { Records } from '../ports.ts';
import { changeOrigin } from './change-origin.ts';
import { type ChangePlan, changeRecord, planContent, retryConflicts } from './change-record.ts';
import { checkContent, checkText, checkValidity, readCheckedTags, readLabel } from './check-text.ts';
import { findCurrent } from './find-records.ts';
import { findFaults, type Kind, type KindTable, needShared } from './kind.ts';
import { createSearchableMaker, makeSearchable, type SearchableMaker } from './make-searchable.ts';
import { lowerTrust, originOf } from './origin.ts';
import { mergeJsonObject, readJsonObject } from './read-json-object.ts';
import { NOTHING_SAID, readChangedFields, readNewFields } from './read-plain-fields.ts';
import { contentOf, putRecord } from './record-changes.ts';
import { openRedactor } from './redact-content.ts';

const { checkFields } = lateFunctions(() => import('../../privacy/check-fields.ts'), 'checkFields');

export interface StoreRecordInput extends RecordDraft {
  /** Of a kind that is screened: secrets that may be stored all the same. */
  allowUnredacted?: AllowUnredacted;
  /** Of any other kind: store secrets as they are. Persons only. */
  noRedact?: boolean;
}

export type StoreRecordOutcome =
  /** `updated`: its key was in use. `unchanged`: the same is there already, and nothing was written. */
  | {
      outcome: 'stored' | 'updated' | 'unchanged';
      record: RecordState;
      warnings: string[];
      redactions: Redaction[];
    }
  /** Nothing was stored: these look like secrets, and the caller has not allowed them. */
  | { outcome: 'unredacted'; findings: readonly FieldFinding[] };

/** Stores a record of any kind that has no rules of its own. Under a key that is in use it takes the place of what is there. */
export async function storeRecord(
  parts: EngineParts,
  caller: Caller,
  { allowUnredacted, noRedact, ...draft }: StoreRecordInput,
): Promise<StoreRecordOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const kind = needShared(parts.kinds, draft.kind, 'store');
  const now = parts.clock.now();
  const drafted = readDraft(parts, draft, caller, now);
  const id = newRecordId(now);
  await refuseFaults(kind, { ...drafted, id });
  const { findings, content, redactions } = await screenRecord(parts, caller, {
    kind,
    content: drafted,
    allowUnredacted,
    noRedact,
  });
  if (findings.length > 0) return { outcome: 'unredacted', findings };
  const { passages, vectors, ...made } = await makeSearchable(parts, content);
  const remarks = { warnings: [...made.warnings, ...describeRedactions(redactions)], redactions };
  return retryConflicts(async () => {
    const known = await findKnown(parts, caller, content);
    if (known !== null && isSame(known, content)) return { outcome: 'unchanged', record: known, ...remarks };
    const put = known === null ? content : { ...content, createdAt: known.createdAt };
    const unlessDuplicate = content.key === null;
    const record = await putRecord(parts, caller, {
      id: known?.id ?? id,
      content: put,
      known,
      passages,
      vectors,
      unlessDuplicate,
    });
    return record === null ? null : { outcome: known === null ? 'stored' : 'updated', record, ...remarks };
  });
}

async function refuseFaults(kind: Kind, record: RecordContent & { id: RecordId }): Promise<void> {
  const faults = await findFaults(kind, record);
  if (faults.length === 0) return;
  throw new EngineError('invalid_input', `This is no sound ${kind.name}: ${faults.join('; ')}.`, {
    details: { field: 'body' },
  });
}

/** What has the same name, or without one the very same text. */
async function findKnown(
  { store }: { store: Records },
  { space }: Caller,
  content: RecordContent,
): Promise<StoredRecord | null> {
  const { kind, project, key, contentHash } = content;
  return findCurrent(store, space, { kind, project, ...(key === null ? { contentHash } : { key }) });
}

function isSame(known: StoredRecord, content: RecordContent): boolean {
  const { createdAt, updatedAt, source, trust } = known;
  return (
    content.key === null ||
    canonicalJson(contentOf(known)) === canonicalJson({ ...content, createdAt, updatedAt, source, trust })
  );
}

interface Screening {
  kind: Kind;
  content: RecordContent;
  before?: RecordContent;
  allowUnredacted?: AllowUnredacted;
  noRedact?: boolean;
}

interface Screened {
  /** Of a kind that refuses secrets: those that nobody has allowed. */
  findings: FieldFinding[];
  /** Without the secrets of any other kind. */
  content: RecordContent;
  redactions: Redaction[];
}

/** What is done about secrets in a record that is about to be stored: kinds that are screened refuse them, in all others they are replaced. */
export async function screenRecord(
  parts: EngineParts,
  caller: Caller,
  { kind, content, before, allowUnredacted = false, noRedact }: Screening,
): Promise<Screened> {
  if (kind.screened === undefined) {
    const redactor = await openRedactor(parts, caller, noRedact);
    await redactor.readAhead(content.content);
    return { findings: [], ...redactor.content(content, before) };
  }
  const all = await checkFields(kind.screened(content));
  const findings = withoutAllowed(all, allowUnredacted);
  const isKept = all.length > 0 && findings.length === 0;
  const source = isKept ? { ...content.source, unredacted: true as const } : content.source;
  return { findings, content: { ...content, source }, redactions: [] };
}

/** A new record of any kind, as a caller describes it. */
interface RecordDraft extends Omit<StorableValues, 'metadata'> {
  kind: RecordKind;
  title?: string | null;
  /** Absent where the kind makes it of the body. */
  content?: string;
  /** What only its kind has. */
  body?: JsonObject;
}

/** Throws for a draft that cannot be stored; reads and writes nothing. */
function readDraft(
  { kinds, settings }: { kinds: KindTable; settings: EngineSettings },
  draft: RecordDraft,
  caller: Caller,
  now: Instant,
): RecordContent {
  const { title = null, body = {} } = draft;
  if (title !== null) checkText('title', title);
  const content = makeContent(kinds.need(draft.kind), now, {
    ...readGiven(draft, caller),
    type: readLabel('type', draft.type) ?? draft.kind,
    title,
    content: draft.content ?? '',
    tags: readCheckedTags(draft.tags),
    body: readJsonObject('body', body),
  });
  checkContent(content.content, settings.maxContentChars);
  return content;
}

type Given = Partial<RecordContent> & Pick<RecordContent, 'agent' | 'source' | 'trust'>;

/** What a draft of any kind says of itself beside its text: labels, times, quality, origin. */
export function readGiven(draft: StorableValues, caller: Caller): Given {
  const { project = caller.project, workspace = caller.workspace } = draft;
  const given: Given = {
    ...readNewFields({ ...draft, project, workspace }),
    agent: readLabel('agent', caller.agentIsFixed === true ? caller.agent : (draft.agent ?? caller.agent)),
    ...originOf(caller, readLabel('host', draft.host ?? caller.host)),
  };
  checkValidity(given.validFrom ?? null, given.validUntil ?? null);
  return draft.trust === undefined ? given : { ...given, trust: lowerTrust(given.trust, draft.trust) };
}

/** A whole record of what is given and what stands where nothing is, with all that its kind derives. */
export function makeContent(kind: Kind, now: Instant, given: Given): RecordContent {
  return kind.derive({
    kind: kind.name,
    type: kind.name,
    title: null,
    content: '',
    contentHash: '',
    tags: [],
    ...NOTHING_SAID,
    createdAt: now,
    updatedAt: now,
    supersededBy: null,
    body: {},
    ...given,
  });
}

export interface UpdateRecordInput extends Omit<UpdatableValues, 'metadata' | 'createdAt'> {
  kind: RecordKind;
  ref: string;
  title?: string | null;
  /** Merged into what is there; a null value removes its key. */
  body?: JsonObject;
  reason?: string;
  /** Only if the record is still at this revision. */
  revision?: number;
  allowUnredacted?: AllowUnredacted;
  /** Store secrets as they are. Persons only. */
  noRedact?: boolean;
}

export type UpdateRecordOutcome =
  | {
      outcome: 'updated' | 'unchanged';
      record: StoredRecord;
      changed: string[];
      warnings: string[];
      redactions: Redaction[];
    }
  | { outcome: 'unredacted'; findings: readonly FieldFinding[] };

/** Changes a record of any kind that has no rules of its own. */
export async function updateRecord(
  parts: EngineParts,
  caller: Caller,
  input: UpdateRecordInput,
): Promise<UpdateRecordOutcome> {
  needShared(parts.kinds, input.kind, 'update');
  if (input.reason !== undefined) checkText('reason', input.reason);
  const make = createSearchableMaker(parts);
  return changeRecord(parts, caller, {
    ...input,
    plan: (record) => planUpdate(parts, caller, { record, input, make }),
  });
}

interface Work {
  record: StoredRecord;
  input: UpdateRecordInput;
  make: SearchableMaker;
}

async function planUpdate(
  parts: EngineParts,
  caller: Caller,
  { record, input, make }: Work,
): Promise<ChangePlan<UpdateRecordOutcome>> {
  const kind = parts.kinds.need(record.kind);
  const applied = kind.derive(applyInput(record, input));
  checkContent(applied.content, parts.settings.maxContentChars);
  await refuseFaults(kind, { ...applied, id: record.id });
  const { raisesTrust, ...origin } = changeOrigin(record, applied, { caller, said: input.trust });
  Object.assign(applied, origin);
  const { allowUnredacted, noRedact, reason } = input;
  const screening = { kind, content: applied, before: record, allowUnredacted, noRedact };
  const { findings, content, redactions } = await screenRecord(parts, caller, screening);
  if (findings.length > 0) return { changes: [], outcome: { outcome: 'unredacted', findings } };
  const changed = listChanged(contentOf(record), content);
  const warnings = describeRedactions(redactions);
  if (changed.length === 0)
    return { changes: [], outcome: { outcome: 'unchanged', record, changed, warnings, redactions } };
  content.updatedAt = parts.clock.now();
  const because =
    reason === undefined ? undefined : (await openRedactor(parts, caller, noRedact)).value('reason', reason).value;
  const { change, ...planned } = await planContent(parts, record, { content, make, reason: because, raisesTrust });
  return {
    changes: [change],
    outcome: { outcome: 'updated', changed, ...planned, warnings: [...warnings, ...planned.warnings], redactions },
  };
}

function applyInput(
  record: StoredRecord,
  { title, content, type, tags, body, ...input }: UpdateRecordInput,
): RecordContent {
  const applied: RecordContent = { ...contentOf(record), ...readChangedFields(input) };
  if (title !== undefined) applied.title = title;
  if (content !== undefined) applied.content = content;
  if (type !== undefined) applied.type = readLabel('type', type) ?? applied.type;
  if (tags !== undefined) applied.tags = readCheckedTags(tags);
  if (body !== undefined) applied.body = mergeJsonObject('body', applied.body, body);
  checkText('title', applied.title ?? '');
  checkValidity(applied.validFrom, applied.validUntil);
  return applied;
}

/** What the caller can see: a hash and a source follow from the text. */
function listChanged(before: RecordContent, after: RecordContent): string[] {
  const names = (Object.keys(after) as (keyof RecordContent)[]).filter(
    (name) => name !== 'contentHash' && name !== 'source',
  );
  return names.filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]));
}
