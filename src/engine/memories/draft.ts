import type { Caller } from '../../model/caller.ts';
import { type Instant, newRecordId, type RecordId } from '../../model/ids.ts';
import type { OnDuplicate, StoreMemoryInput } from '../../model/memory.ts';
import { hashContent, type RecordContent } from '../../model/record.ts';
import { readTags } from '../../model/tags.ts';
import type { EngineSettings } from '../engine.ts';
import { checkContent, checkText, checkValidity, invalid, readLabel } from './check-text.ts';
import { chooseTags, orUntagged } from './choose-tags.ts';
import { chooseType } from './choose-type.ts';
import { readMetadata } from './read-metadata.ts';
import { readNewFields } from './read-plain-fields.ts';
import { type Receipting, receiptOf } from './receipts.ts';
import { stamp } from './stamp.ts';

/** A checked new memory that has not been compared with what is there. */
export interface Draft {
  /** Its id if it becomes a memory of its own. */
  id: RecordId;
  content: RecordContent;
  policy: OnDuplicate;
  /** Turns of a conversation resemble each other by nature. */
  skipsNearCheck: boolean;
  /** What the caller said itself; the rest are defaults, which do not overwrite a memory that is there. */
  given: { type: boolean; tags: boolean; metadata: boolean; quality: boolean };
  receipt: Receipting | null;
  warnings: string[];
}

/** Throws for input that cannot be stored; reads and writes nothing. */
export function draftMemory(
  caller: Caller,
  input: StoreMemoryInput,
  context: { settings: EngineSettings; now: Instant },
): Draft {
  const { settings, now } = context;
  checkContent(input.content, settings.maxContentChars);
  const { tags, metadata, type } = readLabels(input, caller);
  const chosen = chooseType(type, settings.memoryTypes);
  const content: RecordContent = {
    kind: 'memory',
    ...readNewFields(input),
    type: chosen.type,
    title: null,
    content: input.content,
    contentHash: hashContent(input.content),
    tags,
    agent: readLabel('agent', caller.agentIsFixed === true ? caller.agent : (input.agent ?? caller.agent)),
    ...stamp(caller, readLabel('host', input.host ?? caller.host)),
    createdAt: now,
    updatedAt: now,
    supersededBy: null,
    body: { metadata },
  };
  checkValidity(content.validFrom, content.validUntil);
  return {
    id: newRecordId(now),
    content,
    policy: input.onDuplicate ?? settings.onDuplicate,
    skipsNearCheck: content.conversation !== null || content.session !== null || content.type === 'session',
    given: {
      type: type !== null,
      tags: hasTags(input),
      metadata: Object.keys(metadata).length > 0,
      quality: input.quality !== undefined,
    },
    receipt:
      input.idempotencyKey === undefined ? null : receiptOf(caller, input, readIdempotencyKey(input.idempotencyKey)),
    warnings: chosen.warning === null ? [] : [chosen.warning],
  };
}

function readLabels(input: StoreMemoryInput, caller: Caller) {
  const { tags: said, metadata } = chooseTags(input.tags, readMetadata(input.metadata));
  const tags = orUntagged(said, tagsOfWriter(caller));
  const given = readLabel('type', input.type);
  if (given !== null || typeof metadata.type !== 'string') return { tags, metadata, type: given };
  const { type, ...rest } = metadata;
  return { tags, metadata: rest, type: readLabel('metadata.type', String(type)) };
}

/** Who writes can be searched for: the agent and the machine, where a credential or a header names them. */
function tagsOfWriter({ agent, host }: Caller): string[] {
  return readTags([
    ...(agent === undefined ? [] : [`agent:${agent}`]),
    ...(host === undefined ? [] : [`source:${host}`]),
  ]);
}

function hasTags(input: StoreMemoryInput): boolean {
  return (input.tags !== undefined && input.tags !== null) || input.metadata?.tags !== undefined;
}

function readIdempotencyKey(key: string): string {
  checkText('idempotencyKey', key);
  if (key === '' || key.length > 200) throw invalid('idempotencyKey', 'must have 1 to 200 characters');
  return key;
}
