import { open, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { EngineError } from '../model/errors.ts';
import type { AgentTranscripts } from './agent.ts';
import { asText, type Transcript, type TranscriptAgent, type TranscriptFile } from './agent-transcript.ts';
import { AGENTS } from './agents.ts';
import { listFiles } from './list-files.ts';
import { listSessions } from './opencode/list-sessions.ts';
import type { AgentFolders } from './transcript-folders.ts';

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
        return await transcriptsOf(agent)?.list?.(folders);
      } catch (error) {
        problems.push(`${agent}: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  const files = lists.flatMap((list) => list ?? []);
  return { files: files.sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? 1 : -1)), problems };
}

function transcriptsOf(agent: TranscriptAgent): AgentTranscripts | undefined {
  return AGENTS.find(({ name }) => name === agent)?.transcripts;
}

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

export async function readTranscript(file: TranscriptFile): Promise<Transcript | null> {
  return (await transcriptsOf(file.agent)?.read(file)) ?? null;
}

/** Where the work of a transcript was done, without reading all of it. */
export async function readDirectory(file: TranscriptFile): Promise<string | null> {
  const transcripts = transcriptsOf(file.agent);
  if (transcripts?.readDirectory !== undefined) return transcripts.readDirectory(file);
  const [, written] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(await readHead(file.path)) ?? [];
  if (written !== undefined) return asText(JSON.parse(written));
  return (await readTranscript(file))?.directory ?? null;
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
  if (extname(path) === '.db') return listSessions(path);
  if (extname(path) === '.md') return file('cursor');
  const agent = recogniseAgent(path, await readHead(path));
  if (agent !== null) return file(agent);
  throw new EngineError('invalid_input', `${given} is no transcript of an agent that ltm knows.`, {
    hint: 'It reads those of Claude Code, Codex, Gemini CLI and OpenCode, and chats that Cursor exports as Markdown.',
  });
}

/** In this order: what others write has the fields of Claude Code, too. */
const RECOGNISED = ['gemini', 'codex', 'claude-code'] as const;

function recogniseAgent(path: string, head: string): TranscriptAgent | null {
  return (
    RECOGNISED.find((agent) => transcriptsOf(agent)?.fileName?.test(basename(path))) ??
    RECOGNISED.find((agent) => transcriptsOf(agent)?.isWrittenLike?.(head)) ??
    null
  );
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
