import type { SessionEventName } from '../model/session-event.ts';
import type { Transcript, TranscriptFile } from './agent-transcript.ts';
import type { FileEdit } from './edits/file-edit.ts';
import type { AgentFolders } from './transcript-folders.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whose machine it is, as far as the places of files depend on it. */
export interface Place {
  env: Environment;
  home: string;
  platform: NodeJS.Platform;
}

/** A program and the arguments that always come first: `ltm`, or node and a path. */
export interface Program {
  command: string;
  args: readonly string[];
}

/** What is written into the files of an agent. */
export interface Wiring {
  /** Starts `ltm`; the agent adds nothing to it. */
  program: Program;
  /** Starts `ltm-hook`; null: hooks are left out. */
  hook: Program | null;
  /** Variables that this machine's settings hang on, for agents that do not pass on the shell's. */
  env: Readonly<Record<string, string>>;
  platform: NodeJS.Platform;
  /** LongMem was used on this machine: its tools are listed too, and context comes in the tags that its users know. */
  takesOver?: boolean;
}

/** What an agent's hooks send, and how it is answered. */
export interface AgentHooks {
  /** What it calls its events, in small letters and without what is neither letter nor digit. Events that are not here are none of ours. */
  readonly events: Readonly<Record<string, SessionEventName>>;
  /** Whether it sent this, by what no other sends; absent: nothing tells. */
  sent?(payload: Readonly<Record<string, unknown>>): boolean;
  /** It also runs hooks that were set up for others. */
  readonly isEditor?: true;
  /** How it wants to be given context; null where it takes none at this event. Absent: as most do. */
  answer?(name: SessionEventName | null, given: { event: string; context: string }): object | null;
}

/** Where an agent's transcripts lie, and how they are read. */
export interface AgentTranscripts {
  /** Those on this machine; absent: a person exports them, and names the file. */
  list?(folders: AgentFolders): Promise<TranscriptFile[]>;
  read(file: TranscriptFile): Promise<Transcript | null>;
  /** Where the work was done, without reading all of it; absent: a line says so. */
  readDirectory?(file: TranscriptFile): Promise<string | null>;
  /** What a file of its is called, where no other's is called so. */
  readonly fileName?: RegExp;
  /** Whether its first lines look like these. */
  isWrittenLike?(head: string): boolean;
}

/** All that is known of one agent. */
export interface Agent {
  /** For `--agents` and for what its hooks say who they are. */
  name: string;
  title: string;
  /** Its command, where it has one: found on PATH, it is there. */
  program?: string;
  /** Files and folders that only it makes. */
  signs(place: Place): readonly string[];
  /** Started from a desktop, it does not have the shell's PATH. */
  isDesktop?: true;
  /** The files that make it use ltm; those for hooks only where `wiring.hook` is given. */
  edits(place: Place, wiring: Wiring): readonly FileEdit[];
  /** Whether it can tell ltm what happens in a session. */
  hasHooks: boolean;
  /** What it still wants of the user. */
  wants: readonly string[];
  hooks?: AgentHooks;
  transcripts?: AgentTranscripts;
}
