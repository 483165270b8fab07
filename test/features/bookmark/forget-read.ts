import type { EngineParts, JobDone, JobWork } from '../../../src/engine/engine-parts.ts';

/** Deletes the bookmarks that are tagged as read. */
export async function forgetRead({ store, clock }: EngineParts, { space }: JobWork): Promise<JobDone> {
  const { items } = await store.listRecords(space, { kinds: ['bookmark'], tags: ['read'] }, { limit: 100 });
  const changes = items.map(({ id }) => ({ op: 'delete' as const, id, at: clock.now() }));
  if (changes.length > 0) await store.commit(space, changes, 'bookmark:read');
  return { count: items.length, complete: items.length < 100, dueAt: null };
}
