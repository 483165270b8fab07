import { EngineError } from '../model/errors.ts';
import type { Prompt } from './prompt.ts';
import { joinResources, type Resources } from './resource.ts';
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
  /** Those that are listed where neither the address nor the operator says; undefined: the core. */
  readonly usual: readonly string[] | undefined;
  readonly sessionFamilies: readonly string[];
  readonly resources: Resources;
  /** Every tool can be called, whichever are shown: what a caller may do is a matter of its credential, and a prompt may name a tool that this connection does not list. */
  readonly tools: readonly Tool[];
  /** Of two tools with one name, the one that these families list is meant. */
  find(name: string, families?: readonly string[]): Tool | undefined;
  findPrompt(name: string): Prompt | undefined;
  list(families: readonly string[]): Listing;
}

/** Tools that are shown together under the name of a family, and what goes with them. */
export interface ToolGroup {
  family: string;
  tools?: readonly Tool[];
  /** They can be called and are never shown. */
  unlisted?: readonly Tool[];
  /** In place of those of the core, for whoever is shown this family. */
  prompts?: readonly Prompt[];
  resources?: Resources;
  /** Teaches tools of the family the arguments of another system. */
  widen?: (tool: Tool) => Tool;
  /** It is listed where nobody has chosen. */
  isUsual?: boolean;
  /** Its tools remember things between calls: clients that know sessions get one. */
  needsSession?: boolean;
}

interface ToolFamilies {
  /** In the order in which clients see them. */
  families: Readonly<Record<string, readonly Tool[]>>;
  groups: readonly ToolGroup[];
  instructionsFor(families: readonly string[]): string;
}

/** Where two families have a tool of the same name, the first one's counts. */
export function createToolTable({ families, groups, instructionsFor }: ToolFamilies): ToolTable {
  const unlisted = gather(groups, 'unlisted');
  const { core: prompts = [], ...otherPrompts } = gather(groups, 'prompts');
  const namesOf = (chosen: readonly ToolGroup[]): readonly string[] => chosen.map(({ family }) => family);
  const usual = namesOf(groups.filter(({ isUsual }) => isUsual === true));
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
    usual: usual.length === 0 ? undefined : usual,
    sessionFamilies: namesOf(groups.filter(({ needsSession }) => needsSession === true)),
    resources: joinResources(groups.flatMap(({ resources }) => resources ?? [])),
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

/** What the groups have of one sort, by family; of families that have none, nothing. */
function gather<Sort extends 'unlisted' | 'prompts'>(
  groups: readonly ToolGroup[],
  sort: Sort,
): Record<string, NonNullable<ToolGroup[Sort]>> {
  const found: Record<string, unknown[]> = {};
  for (const group of groups)
    if (group[sort] !== undefined) found[group.family] = [...(found[group.family] ?? []), ...group[sort]];
  return found as Record<string, NonNullable<ToolGroup[Sort]>>;
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
