import type { FileEdit } from './edits/file-edit.ts';

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

/** One line of the table of agents. */
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
}
