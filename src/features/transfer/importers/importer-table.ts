import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EngineError } from '../../../model/errors.ts';
import { chatgpt, claudeChats } from './chats.ts';
import { claudeMem } from './claude-mem.ts';
import { federated } from './federated.ts';
import { tablesIn } from './foreign-database.ts';
import type { Importer, Place } from './imported.ts';
import { knowledgeGraph } from './knowledge-graph.ts';
import { longmem } from './longmem.ts';
import { markdownNotes } from './markdown-notes.ts';
import { mem0 } from './mem0.ts';
import { memoryService } from './memory-service.ts';
import { networked } from './networked.ts';
import { packetServer } from './packet-server.ts';

/** In the order in which they are asked whether something is theirs: what is told by less comes later. */
export const IMPORTERS: readonly Importer[] = [
  memoryService,
  claudeMem,
  longmem,
  packetServer,
  networked,
  knowledgeGraph,
  chatgpt,
  claudeChats,
  mem0,
  federated,
  markdownNotes,
];

/** Other names that people know them by. */
const ALIASES: Readonly<Record<string, string>> = {
  'memory-service': 'mcp-memory-service',
  d1: 'mcp-memory-service',
  cloudflare: 'mcp-memory-service',
  'server-memory': 'knowledge-graph',
  reference: 'knowledge-graph',
  obsidian: 'markdown',
  'basic-memory': 'markdown',
  notes: 'markdown',
  agents: 'markdown',
  federated: 'federated-memory',
  workspaces: 'federated-memory',
  ltm: 'ltm-server',
};

export function findImporter(name: string): Importer {
  const found = IMPORTERS.find((one) => one.name === (ALIASES[name] ?? name));
  if (found !== undefined) return found;
  throw new EngineError('invalid_input', `ltm cannot import from "${name}".`, {
    hint: `It knows ${IMPORTERS.map((one) => one.name).join(', ')}.`,
    details: { field: 'from' },
  });
}

const HEAD_BYTES = 65_536;
const SQLITE = 'SQLite format 3\0';

/** Throws not_found where there is nothing. */
export function lookAt(given: string): Place {
  const path = resolve(given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new EngineError('not_found', `There is no file or folder ${given}.`);
  const isFolder = found.isDirectory();
  const head = isFolder ? '' : readHead(path);
  const tables = head.startsWith(SQLITE) ? tablesIn(path) : new Map<string, readonly string[]>();
  return { path, isFolder, head, tables, changedAt: Math.round(found.mtimeMs) };
}

/** Whose it is; null where nobody knows it. */
export async function recogniseImporter(place: Place): Promise<Importer | null> {
  for (const importer of IMPORTERS) if (await importer.recognise(place)) return importer;
  return null;
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, HEAD_BYTES, 0)).replace(/^\uFEFF/, '');
  } finally {
    closeSync(file);
  }
}
