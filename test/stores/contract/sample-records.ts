import type { PutChange } from '../../../src/model/change.ts';
import { newRecordId, type RecordId } from '../../../src/model/ids.ts';
import type { StoredVector } from '../../../src/model/passage.ts';
import { hashContent, type RecordContent, type StoredRecord } from '../../../src/model/record.ts';
import type { FullStore } from './store-under-test.ts';
import { headOf } from './store-under-test.ts';

export const SPACE = 'owner';
export const ACTOR = 'owner@cli';
/** 2026-01-01T00:00:00Z */
export const START = 1_767_225_600_000;

let made = 0;

/** Ids in the order they were asked for. */
export function nextId(): RecordId {
  return newRecordId(START + made++);
}

export function sampleContent(overrides: Partial<RecordContent> = {}): RecordContent {
  const content = overrides.content ?? 'The build needs Node 24.';
  return {
    kind: 'memory',
    key: null,
    type: 'note',
    title: null,
    content,
    contentHash: hashContent(content),
    tags: [],
    project: null,
    workspace: null,
    agent: null,
    session: null,
    conversation: null,
    author: null,
    source: { door: 'cli', userId: 'owner' },
    trust: 'user',
    quality: 0.5,
    createdAt: START,
    updatedAt: START,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    body: {},
    ...overrides,
  };
}

export function put(content: Partial<RecordContent> = {}, options: Partial<PutChange> = {}): PutChange {
  const full = sampleContent(content);
  return {
    op: 'put',
    id: nextId(),
    content: full,
    passages: [{ ordinal: 0, text: full.content }],
    vectors: [],
    expect: 'new',
    unlessDuplicate: false,
    ...options,
  };
}

/** Commits one record and gives it back as stored. */
export async function store(
  under: FullStore,
  content: Partial<RecordContent> = {},
  options: Partial<PutChange> = {},
): Promise<StoredRecord> {
  const change = put(content, options);
  headOf(await under.commit(SPACE, [change], ACTOR));
  return getOne(under, change.id);
}

export async function getOne(under: FullStore, id: RecordId): Promise<StoredRecord> {
  const [record] = await under.getRecords(SPACE, [id]);
  if (record === undefined) throw new Error(`There is no record ${id}.`);
  return record;
}

/** The change that gives a stored record other contents. */
export function change(
  record: StoredRecord,
  content: Partial<RecordContent>,
  options: Partial<PutChange> = {},
): PutChange {
  const { space: _space, id, revision, deletedAt: _deletedAt, generation: _g, dot: _dot, ...old } = record;
  const text = content.content ?? old.content;
  return put(
    { ...old, content: text, contentHash: hashContent(text), ...content },
    { id, expect: revision, ...options },
  );
}

export function vector(ordinal: number, embedder = 'toy@2', bytes: readonly number[] = [127, -128]): StoredVector {
  return { embedder, ordinal, scale: 0.0078, bytes: Int8Array.from(bytes) };
}
