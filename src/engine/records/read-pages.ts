import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Store } from '../ports.ts';

/** Everything that passes, page after page, also while records come and go. */
export async function* readPages(
  store: Store,
  space: SpaceId,
  { filter, limit }: { filter: ListFilter; limit: number },
): AsyncGenerator<Page<StoredRecord>> {
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await store.listRecords(space, filter, { limit, cursor });
    yield page;
    cursor = page.cursor;
  } while (cursor !== null);
}
