import type { Caller } from '../../model/caller.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { StorableValues } from '../../model/memory-fields.ts';
import type { RecordContent, RecordKind } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkContent, checkText, checkValidity, readCheckedTags, readLabel } from './check-text.ts';
import type { Kind } from './kind.ts';
import { originOf } from './origin.ts';
import { readJsonObject } from './read-json-object.ts';
import { NOTHING_SAID, readNewFields } from './read-plain-fields.ts';

/** A new record of any kind, as a caller describes it. */
export interface RecordDraft extends Omit<StorableValues, 'metadata'> {
  kind: RecordKind;
  title?: string | null;
  /** Absent where the kind makes it of the body. */
  content?: string;
  /** What only its kind has. */
  body?: JsonObject;
}

/** Throws for a draft that cannot be stored; reads and writes nothing. */
export function readDraft(
  { kinds, settings }: EngineParts,
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
  const given: Given = {
    ...readNewFields(draft),
    agent: readLabel('agent', caller.agentIsFixed === true ? caller.agent : (draft.agent ?? caller.agent)),
    ...originOf(caller, readLabel('host', draft.host ?? caller.host)),
  };
  checkValidity(given.validFrom ?? null, given.validUntil ?? null);
  return given;
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
