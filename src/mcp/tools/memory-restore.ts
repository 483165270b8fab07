import * as z from 'zod';
import { previewMemory, unlessEmpty } from '../describe-memory.ts';
import { contentHashArgument, idArgument, idsArgument, requireRefs } from '../memory-refs.ts';
import { defineTool } from '../tool.ts';

export const memoryRestore = defineTool({
  name: 'memory_restore',
  title: 'Restore memories',
  description: 'Bring deleted memories back.',
  action: 'write',
  idempotent: true,
  listed: { id: idArgument },
  unlisted: { ids: idsArgument, content_hash: contentHashArgument },
  output: { message: z.string(), memories: z.array(z.looseObject({})) },
  run: async ({ engine, caller, now }, args) => {
    const { restored, missing } = await engine.restoreMemories(caller, requireRefs(args));
    const message =
      missing.length === 0
        ? `Restored ${restored.length}.`
        : `Restored ${restored.length}, ${missing.length} not there.`;
    return {
      structured: {
        message,
        memories: restored.map((memory) => previewMemory(memory, now)),
        missing: unlessEmpty(missing),
      },
    };
  },
});
