import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place, Wiring } from '../../agents/agent.ts';
import type { FileEdit } from '../../agents/edits/file-edit.ts';
import { readBytes, realFile } from '../../agents/edits/write-file.ts';
import { findOnPath, type Programs } from '../../cli/machine/find-program.ts';
import { EngineError } from '../../model/errors.ts';

/** What would become of one file. */
export interface FileChange {
  /** As the agent knows it. */
  path: string;
  /** Behind links. */
  real: string;
  /** null: there is none. */
  before: Buffer | null;
  after: Buffer;
  isChanged: boolean;
}

export interface AgentPlan {
  agent: Agent;
  isFound: boolean;
  changes: readonly FileChange[];
  /** Why this agent is left alone; null: it is not. */
  problem: EngineError | null;
}

/** Whether an agent is on this machine. */
export function isThere(agent: Agent, place: Place): boolean {
  if (agent.signs(place).some((path) => existsSync(path))) return true;
  return agent.program !== undefined && findOnPath(agent.program, place) !== null;
}

export function wiringFor(agent: Agent, place: Place, programs: Programs, env: Wiring['env']): Wiring {
  const { program, hook } = agent.isDesktop === true ? programs.whole : programs.short;
  const takesOver = existsSync(join(place.home, '.longmem'));
  return { program, hook, env, platform: place.platform, takesOver };
}

/** Reads and writes nothing but texts in memory: what it says can be shown before it is done. `removesHooks`: those that are there go. */
export function planAgent(agent: Agent, place: Place, wiring: Wiring, removesHooks = false): AgentPlan {
  const isFound = isThere(agent, place);
  try {
    return { agent, isFound, changes: planChanges(listEdits(agent, place, wiring, removesHooks)), problem: null };
  } catch (error) {
    return { agent, isFound, changes: [], problem: describeProblem(error, agent.title) };
  }
}

function listEdits(agent: Agent, place: Place, wiring: Wiring, removesHooks: boolean): readonly FileEdit[] {
  const edits = agent.edits(place, wiring);
  if (!removesHooks) return edits;
  const servers = agent.edits(place, { ...wiring, hook: null }).length;
  return edits.map((edit, at) => (at < servers ? edit : { ...edit, write: (text) => edit.clear(text, '') }));
}

function planChanges(edits: readonly FileEdit[]): FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const edit of edits) {
    try {
      const real = realFile(edit.path);
      const { before, after } = changes.get(real) ?? { before: readBytes(real, edit.path), after: null };
      const text = decode(after ?? before ?? Buffer.alloc(0), edit.path);
      const written = Buffer.from(edit.write(text), 'utf8');
      changes.set(real, { path: edit.path, real, before, after: written, isChanged: before?.equals(written) !== true });
    } catch (error) {
      throw describeProblem(error, edit.path);
    }
  }
  // A file that would be empty was not worth making.
  return [...changes.values()].filter(({ before, after }) => before !== null || after.length > 0);
}

/** Text that does not survive reading and writing is left alone. */
export function decode(bytes: Buffer, path: string): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  throw new EngineError('invalid_input', `${path} is not UTF-8 text. It was left as it is.`, {
    hint: 'Save it as UTF-8, then run the command again.',
  });
}

/** What goes wrong with one agent concerns it alone, whatever it is, and the others go on. */
export function describeProblem(error: unknown, path: string): EngineError {
  if (error instanceof EngineError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined)
    return new EngineError('internal', `${path} cannot be edited: ${message}.`, {
      cause: error,
      hint: 'This is a fault of ltm. The other agents go on.',
    });
  return new EngineError('storage_read_only', `${path} cannot be read or written: ${message}.`, {
    cause: error,
    hint: 'Check that it is a file, its permissions and its owner.',
  });
}
