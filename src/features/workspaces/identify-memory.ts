import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Caller } from '../../model/caller.ts';
import type { MemoryIdentity } from './workspace.ts';
import { memoryNameOf } from './write-token.ts';

/** Which memory this is, and the number of its last change: copies of it say so, and are not taken for copies of another one. */
export async function identifyMemory(parts: EngineParts, caller: Caller): Promise<MemoryIdentity> {
  authorize(caller, 'read', caller.space);
  return { memory: await memoryNameOf(parts, caller.space), changes: await parts.store.head(caller.space) };
}

/** What the operator has to say to everybody; '' where that is nothing. */
/** What the operator has to say to everybody who reads the workspaces. */
export async function readWelcome({ settings }: EngineParts, caller: Caller): Promise<string> {
  authorize(caller, 'read', caller.space);
  const { welcomeFile } = settings;
  return welcomeFile === null ? '' : (await import('node:fs/promises')).readFile(welcomeFile, 'utf8');
}
