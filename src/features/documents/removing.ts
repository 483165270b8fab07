import { createTurns } from '../../engine/create-turns.ts';
import type { Removing } from '../../engine/engine-parts.ts';
import { deleteSections, restoreSections } from './delete-sections.ts';
import { takeOutOfSections } from './leave-rejected.ts';

/** Sections of one document change its record together. */
const turns = () => createTurns();

export const removing: Removing = {
  delete: (parts, caller, input) => parts.state(turns)(caller.space, () => deleteSections(parts, caller, input)),
  restore: (parts, caller, refs) => parts.state(turns)(caller.space, () => restoreSections(parts, caller, refs)),
  cutRejected: takeOutOfSections,
};
