import * as z from 'zod';
import { describeMemory, noticesOfTrust, unlessEmpty } from '../describe-memory.ts';
import { contentHashArgument, idArgument, idsArgument, requireRefs } from '../memory-refs.ts';
import { defineTool } from '../tool.ts';

const label = z.string().trim().max(200).optional();

export const memoryGet = defineTool({
  name: 'memory_get',
  title: 'Get memories',
  description: 'The whole text and details of memories.',
  action: 'read',
  alwaysLoad: true,
  listed: { id: idArgument, ids: idsArgument, project: label },
  unlisted: { content_hash: contentHashArgument, key: label, include_deleted: z.boolean().optional() },
  output: { message: z.string(), memories: z.array(z.looseObject({})) },
  run: async ({ engine, caller, now }, args) => {
    const { memories, missing } = await engine.getMemories(caller, {
      refs: requireRefs({ ...args, key: args.key || undefined }),
      ...(args.project && { project: args.project }),
      ...(args.include_deleted !== undefined && { includeDeleted: args.include_deleted }),
    });
    const message =
      missing.length === 0 ? `${memories.length} found.` : `${memories.length} found, ${missing.length} not there.`;
    const notices = unlessEmpty(noticesOfTrust(memories));
    return {
      structured: {
        message,
        memories: memories.map((memory) => describeMemory(memory, now)),
        missing: unlessEmpty(missing),
        notices,
      },
    };
  },
});
