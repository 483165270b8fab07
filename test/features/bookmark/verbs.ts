import type { RecordState } from '../../../src/model/record.ts';
import { label, ref, text } from '../../../src/verbs/field.ts';
import { type AnyVerb, defineVerb, type Method } from '../../../src/verbs/verb.ts';

const kind = 'bookmark';

export interface Bookmark {
  id: string;
  url: string;
  note: string;
  tags: readonly string[];
  revision: number;
  deletedAt: number | null;
}

function toBookmark({ id, body, tags, revision, deletedAt }: RecordState): Bookmark {
  return { id, url: String(body.url), note: String(body.note), tags, revision, deletedAt };
}

const fields = { url: label('The address.', { max: 2000 }), note: text('What it is about.', { max: 2000 }) };
const tags = { type: 'tags' } as const;
const rest = (method: Method, below: string, summary: string) => ({
  at: `${method} /bookmarks${below}` as const,
  summary,
  answers: { 200: 'Done.' },
});
const tool = (verb: string, shown: Record<string, string>) => ({
  name: `bookmark_${verb}`,
  title: `Bookmark: ${verb}`,
  text: `To ${verb} bookmarks.`,
  shown,
  output: {},
  answer: (out: unknown) => ({ out }),
});
const command = (verb: string, words: string, flags: string[] = []) => ({
  name: `bookmark-${verb}`,
  summary: `To ${verb} bookmarks`,
  usage: words.toUpperCase(),
  words,
  flags,
  examples: [`ltm bookmark-${verb}`],
});

export interface Written {
  outcome: string;
  bookmark: Bookmark | null;
}

const storeBookmark = defineVerb<{ url: string; note: string; tags?: string[] }, Written>({
  needs: 'write',
  writes: true,
  input: { ...fields, tags },
  async run({ engine, caller }, { url, note, tags: given }) {
    const out = await engine.storeRecord(caller, { kind, tags: given, body: { url, note } });
    return { outcome: out.outcome, bookmark: 'record' in out ? toBookmark(out.record) : null };
  },
  rest: rest('POST', '', 'Keep a bookmark'),
  tool: tool('store', { url: '', note: '', tags: '' }),
  command: command('store', 'url', ['note', 'tags']),
});

const listBookmarks = defineVerb<object, { bookmarks: Bookmark[] }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({
    bookmarks: (await engine.listRecords(caller, { kind })).items.map(toBookmark),
  }),
  rest: rest('GET', '', 'All bookmarks'),
  tool: tool('list', {}),
  command: command('list', ''),
});

const updateBookmark = defineVerb<{ ref: string; note: string }, Written>({
  needs: 'write',
  writes: true,
  input: { ref, note: fields.note },
  async run({ engine, caller }, { ref: name, note }) {
    const out = await engine.updateRecord(caller, { kind, ref: name, body: { note } });
    return { outcome: out.outcome, bookmark: 'record' in out ? toBookmark(out.record) : null };
  },
  rest: rest('PATCH', '/{ref}', 'Change a bookmark'),
  tool: tool('update', { ref: '', note: '' }),
  command: command('update', 'ref', ['note']),
});

const deleteBookmark = defineVerb<{ ref: string }, { deleted: number }>({
  needs: 'write',
  writes: true,
  input: { ref },
  run: async ({ engine, caller }, { ref: name }) => ({
    deleted: (await engine.deleteRecords(caller, { kind, refs: [name] })).count,
  }),
  rest: rest('DELETE', '/{ref}', 'Delete a bookmark'),
  tool: tool('delete', { ref: '' }),
  command: command('delete', 'ref'),
});

const restoreBookmark = defineVerb<{ ref: string }, { restored: Bookmark[] }>({
  needs: 'write',
  writes: true,
  input: { ref },
  run: async ({ engine, caller }, { ref: name }) => ({
    restored: (await engine.restoreRecords(caller, { kind, refs: [name] })).restored.map(toBookmark),
  }),
  rest: rest('POST', '/{ref}/restore', 'Bring a bookmark back'),
  tool: tool('restore', { ref: '' }),
  command: command('restore', 'ref'),
});

/** What can be done with bookmarks, behind every door. */
export const VERBS = {
  storeBookmark,
  listBookmarks,
  updateBookmark,
  deleteBookmark,
  restoreBookmark,
} satisfies Record<string, AnyVerb>;
