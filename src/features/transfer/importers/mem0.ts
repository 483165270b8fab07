import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../model/json.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { asRow, type Imported, type Importer, listOf, textOr } from './imported.ts';

/** What mem0's `get_all` and its exports give. */
export const mem0: Importer = {
  name: 'mem0',
  about: 'mem0: a JSON file of memories, as its API or its export gives it',
  recognise: ({ head }) =>
    /^\s*[[{]/.test(head) &&
    /"memory"\s*:/.test(head) &&
    /"(?:user_id|agent_id|hash|categories|app_id)"\s*:/.test(head),
  *read({ path }) {
    const whole: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { results, memories } = asRow(whole);
    const list = Array.isArray(whole)
      ? whole
      : Array.isArray(results)
        ? results
        : Array.isArray(memories)
          ? memories
          : [];
    for (const [i, item] of list.entries()) yield readMemory(asRow(item), i);
  },
};

function readMemory(row: Readonly<Record<string, unknown>>, place: number): Imported {
  const content = textOr(row.memory, null);
  if (content === null) return { leftOut: `memory ${place + 1}`, why: 'it has no text' };
  return {
    memory: {
      id: textOr(row.id, null) ?? content,
      content,
      tags: listOf(row.categories),
      metadata: asRow(row.metadata) as JsonObject,
      agent: textOr(row.agent_id, null),
      session: textOr(row.run_id, null),
      author: textOr(row.user_id, null),
      project: textOr(row.app_id, null),
      createdAt: readForeignTime(row.created_at),
      updatedAt: readForeignTime(row.updated_at),
      validUntil: readForeignTime(row.expiration_date),
    },
  };
}
