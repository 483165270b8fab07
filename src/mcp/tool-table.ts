import { EngineError } from '../model/errors.ts';
import type { Prompt } from './prompts.ts';
import type { Tool, ToolDescription } from './tool.ts';

/** What one client is shown. */
export interface Listing {
  tools: ToolDescription[];
  prompts: readonly Prompt[];
  instructions: string;
}

export interface ToolTable {
  /** The names of the families, in the order in which they are listed. */
  readonly families: readonly string[];
  /** Every tool can be called, whichever are shown: what a caller may do is a matter of its credential, and a prompt may name a tool that this connection does not list. */
  readonly tools: readonly Tool[];
  /** Of two tools with one name, the one that these families list is meant. */
  find(name: string, families?: readonly string[]): Tool | undefined;
  findPrompt(name: string): Prompt | undefined;
  list(families: readonly string[]): Listing;
}

export interface ToolFamilies {
  /** Groups of tools that are shown together, in the order in which clients see them. */
  families: Readonly<Record<string, readonly Tool[]>>;
  /** By family: can be called and are never shown. */
  unlisted: Readonly<Record<string, readonly Tool[]>>;
  prompts: readonly Prompt[];
  /** By family, where it has others. */
  otherPrompts: Readonly<Record<string, readonly Prompt[]>>;
  instructionsFor(families: readonly string[]): string;
}

/** Where two families have a tool of the same name, the first one's counts. */
export function createToolTable(given: ToolFamilies): ToolTable {
  const { families, unlisted, prompts, otherPrompts, instructionsFor } = given;
  const byName = firstByName([...Object.values(families).flat(), ...Object.values(unlisted).flat()]);
  const known = new Map<string, Listing>();
  const meant = new Map<string, ReadonlyMap<string, Tool>>();
  const meantBy = (chosen: readonly string[]): ReadonlyMap<string, Tool> => {
    const found =
      meant.get(chosen.join()) ??
      firstByName([families, unlisted].flatMap((of) => chosen.flatMap((family) => of[family] ?? [])));
    meant.set(chosen.join(), found);
    return found;
  };
  return {
    families: Object.keys(families),
    tools: [...byName.values()],
    find: (name, chosen = []) => meantBy(chosen).get(name) ?? byName.get(name),
    findPrompt: (name) => [...prompts, ...Object.values(otherPrompts).flat()].find((prompt) => prompt.name === name),
    /** Computed once for each choice: describing ten tools for every request would cost more than the request. */
    list(chosen) {
      const listing = known.get(chosen.join()) ?? {
        tools: [...firstByName(chosen.flatMap((family) => families[family] ?? [])).values()].map((tool) =>
          tool.describe(),
        ),
        prompts: [...new Set(chosen.flatMap((family) => otherPrompts[family] ?? prompts))],
        instructions: instructionsFor(chosen),
      };
      known.set(chosen.join(), listing);
      return listing;
    },
  };
}

function firstByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return byName;
}

/** What is shown where nobody has chosen. */
export const DEFAULT_FAMILIES: readonly string[] = ['core'];

/** Every family there is. */
export const ALL = 'all';

/** In the order of `known`, whatever the order asked for, so that the same choice always gives the same list. */
export function readFamilies(text: string, known: readonly string[]): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const wrong = names.find((name) => name !== ALL && !known.includes(name))?.slice(0, 40);
  const hint = `Choose from ${known.join(', ')}, or ${ALL}.`;
  if (names.length === 0)
    throw new EngineError('invalid_input', 'No tool family is named.', { hint, details: { field: 'tools' } });
  if (wrong !== undefined)
    throw new EngineError('invalid_input', `There is no tool family "${wrong}".`, {
      hint,
      details: { field: 'tools', value: wrong },
    });
  return names.includes(ALL) ? known : known.filter((family) => names.includes(family));
}

/** null where the address does not say. Throws for a family that does not exist. */
export function familiesIn(url: string, known: readonly string[]): readonly string[] | null {
  const wanted = new URL(url).searchParams.getAll('tools');
  return wanted.length === 0 ? null : readFamilies(wanted.join(), known);
}
