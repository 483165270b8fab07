import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { EngineError } from '../model/errors.ts';
import { asFields, asText, type Transcript, type TranscriptAgent, type TranscriptFile } from './agent-transcript.ts';
import { readClaudeCode } from './claude-code/read-transcript.ts';
import { readCodex } from './codex/read-transcript.ts';
import { readCursorExport } from './cursor/read-export.ts';
import { readGemini } from './gemini/read-transcript.ts';

/** Where agents keep their files on this machine. */
export interface AgentFolders {
  claude: string;
  codex: string;
  gemini: string;
  opencode: string;
}

interface Found {
  files: TranscriptFile[];
  /** What is there and cannot be read, each with why. */
  problems: string[];
}

/** Every transcript of these agents on this machine, the newest first. */
export async function findTranscripts(folders: AgentFolders, agents: readonly TranscriptAgent[]): Promise<Found> {
  const problems: string[] = [];
  const lists = await Promise.all(
    agents.map(async (agent) => {
      try {
        return await LISTS[agent]?.(folders);
      } catch (error) {
        problems.push(`${agent}: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  const files = lists.flatMap((list) => list ?? []);
  return { files: files.sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? 1 : -1)), problems };
}

const LISTS: Partial<Record<TranscriptAgent, (folders: AgentFolders) => Promise<TranscriptFile[]>>> = {
  // those of sub-agents lie one folder deeper
  'claude-code': ({ claude }) =>
    listFiles(join(claude, 'projects'), { agent: 'claude-code', name: /\.jsonl$/, depth: 1 }),
  codex: async ({ codex }) => [
    ...(await listFiles(join(codex, 'sessions'), { agent: 'codex', name: ROLLOUT, depth: 3 })),
    ...(await listFiles(join(codex, 'archived_sessions'), { agent: 'codex', name: ROLLOUT, depth: 3 })),
  ],
  gemini: ({ gemini }) => listFiles(join(gemini, 'tmp'), { agent: 'gemini', name: /^session-.*\.jsonl?$/, depth: 2 }),
  async opencode({ opencode }) {
    const path = join(opencode, 'opencode.db');
    if ((await stat(path).catch(() => null)) === null) return [];
    return (await import('./opencode/read-sessions.ts')).listOpenCodeSessions(path);
  },
};
const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/;

/** Transcripts that lie in this folder itself; other files of lines of JSON are passed over. */
export async function listTranscriptsIn(folder: string): Promise<TranscriptFile[]> {
  const files = await listFiles(folder, { agent: 'claude-code', name: /\.jsonl$/, depth: 0 });
  const known = await Promise.all(
    files.map(async (file) => {
      const agent = recogniseAgent(file.path, await readHead(file.path));
      return agent === null ? [] : [{ ...file, agent }];
    }),
  );
  return known.flat();
}

async function listFiles(
  folder: string,
  wanted: { agent: TranscriptAgent; name: RegExp; depth: number },
): Promise<TranscriptFile[]> {
  const found: TranscriptFile[] = [];
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && wanted.depth > 0)
      found.push(...(await listFiles(path, { ...wanted, depth: wanted.depth - 1 })));
    else if (entry.isFile() && wanted.name.test(entry.name))
      found.push({ agent: wanted.agent, path, changedAt: (await stat(path)).mtimeMs });
  }
  return found;
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return []; // this agent has never run here
    throw new EngineError('storage_read_only', `${folder} cannot be read: ${message}.`, {
      cause: error,
      hint: 'Check its permissions and its owner.',
    });
  }
}

export async function readTranscript({ agent, path, session }: TranscriptFile): Promise<Transcript | null> {
  switch (agent) {
    case 'claude-code':
      return readClaudeCode(path);
    case 'codex':
      return readCodex(path);
    case 'gemini':
      return readGemini(path, await geminiDirectory(path));
    case 'opencode':
      return (await import('./opencode/read-sessions.ts')).readOpenCode(path, session!);
    case 'cursor':
      return readCursorExport(path);
  }
}

/** Where the work of a transcript was done, without reading all of it. */
export async function readDirectory(file: TranscriptFile): Promise<string | null> {
  if (file.agent === 'gemini') return geminiDirectory(file.path);
  if (file.agent === 'opencode') return (await readTranscript(file))?.directory ?? null;
  if (file.agent === 'cursor') return null;
  const [, written] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(await readHead(file.path)) ?? [];
  if (written !== undefined) return asText(JSON.parse(written));
  return (await readTranscript(file))?.directory ?? null;
}

/** Gemini names a folder after the project, and says in a file of its own which directory that is. */
async function geminiDirectory(path: string): Promise<string | null> {
  const project = dirname(dirname(path));
  const names = join(dirname(dirname(project)), 'projects.json');
  const text = await readFile(names, 'utf8').catch(() => null);
  if (text === null) return null;
  const { projects } = asFields(JSON.parse(text));
  const [directory] = Object.entries(asFields(projects)).find(([, name]) => name === basename(project)) ?? [];
  return directory ?? null;
}

/** A file that somebody names: whose transcript it is shows in its name and its first lines. */
export async function recogniseTranscript(given: string): Promise<TranscriptFile[]> {
  const path = resolve(given);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile())
    throw new EngineError('not_found', `There is no file ${given}.`, {
      hint: '`ltm harvest` without a file looks where agents keep their transcripts.',
    });
  const file = (agent: TranscriptAgent): TranscriptFile[] => [{ agent, path, changedAt: found.mtimeMs }];
  if (extname(path) === '.db') return (await import('./opencode/read-sessions.ts')).listOpenCodeSessions(path);
  if (extname(path) === '.md') return file('cursor');
  const agent = recogniseAgent(path, await readHead(path));
  if (agent !== null) return file(agent);
  throw new EngineError('invalid_input', `${given} is no transcript of an agent that ltm knows.`, {
    hint: 'It reads those of Claude Code, Codex, Gemini CLI and OpenCode, and chats that Cursor exports as Markdown.',
  });
}

function recogniseAgent(path: string, head: string): TranscriptAgent | null {
  if (ROLLOUT.test(basename(path))) return 'codex';
  if (/"projectHash"|"type":\s*"gemini"/.test(head)) return 'gemini';
  if (/"type":\s*"(?:session_meta|response_item)"/.test(head)) return 'codex';
  return /"sessionId"|"parentUuid"|"type":\s*"(?:user|assistant)"/.test(head) ? 'claude-code' : null;
}

const HEAD_BYTES = 100_000;

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
