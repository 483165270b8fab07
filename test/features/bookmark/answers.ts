import { z } from 'zod';
import { type Answers, count, text, texts } from '../../../src/rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

const bookmark = fields({ id: text, url: text, note: text, tags: texts, revision: count, deleted_at: z.null() });
const written = fields({ outcome: text, bookmark: bookmark.nullable() });

/** What the verbs about bookmarks answer, by their names. */
export const ANSWERS: Answers = {
  storeBookmark: written,
  listBookmarks: fields({ bookmarks: list(bookmark) }),
  updateBookmark: written,
  deleteBookmark: fields({ deleted: count }),
  restoreBookmark: fields({ restored: list(bookmark) }),
};
