import type { Kind } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { hashContent } from '../../model/record.ts';
import { readTags } from '../../model/tags.ts';

export const memoryKind: Kind = {
  name: 'memory',
  plural: 'memories',
  code: 0,
  ownVerbs: ['store', 'update'],
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  isMemory: true,
  foldTags: readTags,
  claim: ({ content }) => content,
  derive: (content) => ({ ...content, contentHash: hashContent(content.content) }),
};
