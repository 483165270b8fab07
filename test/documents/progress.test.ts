import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { connectClient, ERAS } from '../conformance/connect-client.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller } from '../open-test-engine.ts';

const caller = makeCaller('cli');
const LONG = Array.from({ length: 80 }, (_, i) => `# Part ${i}\n\nWhat part ${i} says.`).join('\n\n');
const bytes = new TextEncoder().encode(LONG);

test('whoever asks for a document that is being ingested is told how many of its sections are there', async (t) => {
  const { engine } = await openOnStore(t, STORES[0]!, undefined, createDocumentReader());
  const seen: unknown[] = [];
  const asked: Promise<void>[] = [];
  const { document } = await engine.ingestDocument(caller, {
    name: 'long.md',
    bytes,
    onProgress(done, total) {
      if (done === 25)
        asked.push(
          engine.getDocument(caller, { ref: 'long.md' }).then(({ document: { state, sections, written } }) => {
            seen.push(state, sections, written! >= 25 && written! < 80, total);
          }),
        );
    },
  });
  await Promise.all(asked);
  assert.deepEqual(seen, ['incomplete', 80, true, 80]);
  assert.deepEqual([document.state, document.written], ['ready', undefined]);
});

for (const mode of ERAS)
  test(`a client of ${mode === 'legacy' ? '2025' : '2026'} that wants to know is told how far memory_ingest has come, and one that does not is not`, async (t) => {
    const { engine } = await openOnStore(t, STORES[0]!, undefined, createDocumentReader());
    const { client, close } = await connectClient(engine, { mode });
    t.after(close);
    const told: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const call = { name: 'memory_ingest', arguments: { content: LONG, name: 'long.md' } };
    const out = await client.callTool(call, { onprogress: (notice) => void told.push(notice) });
    assert.notEqual(out.isError, true);
    assert.deepEqual(
      told.map(({ progress, total }) => [progress, total]),
      [25, 50, 75, 80].map((done) => [done, 80]),
    );
    assert.match(told[0]!.message!, /sections of/);
    const count = told.length;
    await client.callTool({ ...call, arguments: { ...call.arguments, content: `${LONG} More.` } });
    assert.equal(told.length, count);
  });
