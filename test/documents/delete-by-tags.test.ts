// What a search by tags shows is deleted by the same tags.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';

let mcp: McpProcess;
before(async () => {
  mcp = await startMcpProcess({ LTM_TOOLS: 'core,documents' });
});
after(() => mcp.close());

test('memory_delete by tags takes sections of documents with memories, and kind narrows it to either', async () => {
  const path = join(dirname(mcp.db), 'guide.md');
  writeFileSync(path, '# Guide\n\nThe quokka eats leaves.\n\n## Nights\n\nA wombat digs burrows.\n');
  await mcp.call('memory_ingest', { path, tags: ['animals'] });
  const note = await mcp.call('memory_store', { content: 'A platypus lays eggs', tags: ['animals'] });
  const tags = ['animals'];
  const count = async (more: object): Promise<number> =>
    (await mcp.call('memory_delete', { tags, dry_run: true, ...more })).count;
  assert.deepEqual([await count({}), await count({ kind: 'memory' }), await count({ kind: 'section' })], [3, 1, 2]);
  assert.deepEqual([await count({ tags: ['other'] }), await count({ tags: undefined, project: 'none' })], [0, 0]);
  const deleted = await mcp.call('memory_delete', { tags });
  assert.equal(deleted.count, 3);
  assert.equal((await mcp.call('memory_search', { query: 'wombat burrows', tags })).hits.length, 0);
  assert.deepEqual((await mcp.call('memory_documents')).documents, []);
  const ids: string[] = deleted.memories.map(({ id }: { id: string }) => id);
  await mcp.call('memory_restore', { ids });
  assert.equal((await mcp.call('memory_search', { query: 'wombat burrows', tags })).hits.length, 3);
  assert.ok(ids.includes(note.id));
});
