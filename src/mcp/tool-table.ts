import { EngineError } from '../model/errors.ts';
import type { Tool, ToolDescription } from './tool.ts';

/** What one client is shown. */
export interface Listing {
  tools: ToolDescription[];
  instructions: string;
}

export interface ToolTable {
  /** The names of the families, in the order in which they are listed. */
  readonly families: readonly string[];
  /** Every tool can be called, whichever are shown: what a caller may do is a matter of its credential, and a prompt may name a tool that this connection does not list. */
  readonly tools: readonly Tool[];
  find(name: string): Tool | undefined;
  list(families: readonly string[]): Listing;
}

export interface ToolFamilies {
  /** Groups of tools that are shown together, in the order in which clients see them. */
  families: Readonly<Record<string, readonly Tool[]>>;
  /** Can be called and are never shown. */
  unlisted: readonly Tool[];
  instructionsFor(families: readonly string[]): string;
}

/** Where two families have a tool of the same name, the first one's counts. */
export function createToolTable({ families, unlisted, instructionsFor }: ToolFamilies): ToolTable {
  const byName = firstByName([...Object.values(families).flat(), ...unlisted]);
  const known = new Map<string, Listing>();
  return {
    families: Object.keys(families),
    tools: [...byName.values()],
    find: (name) => byName.get(name),
    /** Computed once for each choice: describing ten tools for every request would cost more than the request. */
    list(chosen) {
      const listing = known.get(chosen.join()) ?? {
        tools: [...firstByName(chosen.flatMap((family) => families[family] ?? [])).values()].map((tool) =>
          tool.describe(),
        ),
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
