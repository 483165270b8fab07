import type { AnyVerb, VerbTable } from '../verbs/verb.ts';

/** Sections of the API's document, in their order. */
const SECTIONS = [
  'Memories',
  'Quality',
  'Consolidation',
  'Search',
  'Graph',
  'History',
  'Labels',
  'State',
  'Exchange',
  'Sync',
  'Packets',
  'Sessions',
  'Workspaces',
  'Documents',
  'People',
];

/** The verbs section by section; those of a section that is not listed come last. */
export function inSections<Table extends VerbTable>(verbs: Table): Table {
  const placeOf = ({ group = '' }: AnyVerb): number => {
    const place = SECTIONS.indexOf(group);
    return place < 0 ? SECTIONS.length : place;
  };
  const entries = Object.entries(verbs).sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  return Object.fromEntries(entries) as Table;
}
