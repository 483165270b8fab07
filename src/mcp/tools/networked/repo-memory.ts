import * as z from 'zod';
import type { Memory } from '../../../model/memory.ts';
import { isoTime } from '../../describe-age.ts';
import type { ToolAnswer } from '../../tool.ts';

/** Where a memory goes, and a key is looked for, when no repository is named. */
export const DEFAULT_REPO = 'global';
export const DEFAULT_LIMIT = 10;

export const repoArgument = z.string().trim().max(200).optional();
export const limitArgument = z.number().int().min(1).max(100).optional();
export const listOfMemories = z.array(z.looseObject({ id: z.string() }));

/** A memory in the words of the networked server: a project is a repository. */
export function describeRepoMemory(memory: Memory): Record<string, unknown> {
  return {
    id: memory.id,
    repo_id: memory.project,
    key: memory.key,
    content: memory.content,
    tags: memory.tags,
    metadata: memory.metadata,
    created_at: isoTime(memory.createdAt),
    updated_at: isoTime(memory.updatedAt),
  };
}

/** Clients of the networked server read the text as JSON. */
export function jsonAnswer(structured: Record<string, unknown>): ToolAnswer {
  return { structured, text: JSON.stringify(structured) };
}
