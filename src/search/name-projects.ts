import { holdsOneValue } from './index/holds-one-value.ts';
import type { Part } from './index/part.ts';
import { isSpaceless, mayName, patternOf } from './name-patterns.ts';
import type { SearchSet } from './search-set.ts';

const projectsOf = new WeakMap<Part, { records: number; projects: Set<string> }>();

/** All projects in the searched spaces, dead records included. */
export function listProjects({ parts }: SearchSet): string[] {
  const all = new Set<string>();
  for (const { part } of parts) for (const project of collectProjects(part)) all.add(project);
  return [...all];
}

function collectProjects(part: Part): Set<string> {
  const { recordCount, project, labels } = part.columns;
  const known = projectsOf.get(part);
  if (known !== undefined && known.records === recordCount) return known.projects;
  const codes = new Set<number>();
  if (!holdsOneValue(project.subarray(0, recordCount), 0))
    for (let record = 0; record < recordCount; record++) if (project[record] !== 0) codes.add(project[record]!);
  const projects = new Set([...codes].map((code) => labels.textOf(code)));
  projectsOf.set(part, { records: recordCount, projects });
  return projects;
}

/** A name that is no ordinary word: `ecommerce-api`, `web2`, `my.site`. */
function isProper(name: string): boolean {
  return /[\d_./-]|\p{Ll}\p{Lu}/u.test(name);
}

/** What stands before a name that might be a word: "in shop, how …", "for the project web". */
const BEFORE =
  '(?<![\\p{L}\\p{N}])(?:in|of|for|on|at|project|repo|repository|bei|für|im|projekt|dans|pour|projet|en|para|proyecto|em|no|na|projeto)\\s+(?:the\\s+|der\\s+|le\\s+|la\\s+|el\\s+|o\\s+|a\\s+)?(?:project\\s+|projekt\\s+|projet\\s+|proyecto\\s+|projeto\\s+)?';
const SHORTEST_PROJECT = 3;

/** Those of the projects that the question names as such. */
export function findNamedProjects(query: string, projects: readonly string[]): string[] {
  return projects.filter((project) => {
    if (project.length < SHORTEST_PROJECT || !mayName(query, project)) return false;
    if (query.search(patternOf(project)) < 0) return false;
    if (isProper(project) || isSpaceless(project)) return true;
    return new RegExp(`${BEFORE}${project.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'iu').test(query);
  });
}
