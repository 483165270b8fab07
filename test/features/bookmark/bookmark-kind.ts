import type { Kind } from '../../../src/engine/records/kind.ts';
import { hashContent } from '../../../src/model/record.ts';

/** A kind that the product does not have: an address with a note. Its content is made of its body. */
export const bookmarkKind: Kind = {
  name: 'bookmark',
  plural: 'bookmarks',
  code: 200,
  listPassages: ({ body: { url, note } }) => [
    { part: 'url', text: String(url) },
    { part: 'note', text: String(note) },
  ],
  derive(record) {
    const content = `${record.body.note}\n${record.body.url}`;
    return { ...record, title: String(record.body.url), content, contentHash: hashContent(content) };
  },
  findFaults: ({ body }) => (URL.canParse(String(body.url)) ? [] : ['its url is not an address']),
  describeHit: ({ body }, part) => ({ url: body.url ?? null, part }),
  screened: ({ body }) => body,
};
