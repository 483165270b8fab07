// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import { VERBS as consolidation } from './consolidation/verbs.ts';
import { VERBS as documents } from './documents/verbs.ts';
import { VERBS as graph } from './graph/verbs.ts';
import { VERBS as history } from './history/verbs.ts';
import { VERBS as maintenance } from './maintenance/verbs.ts';
import { VERBS as memories } from './memories/verbs.ts';
import { VERBS as packets } from './packets/verbs.ts';
import { VERBS as people } from './people/verbs.ts';
import { VERBS as quality } from './quality/verbs.ts';
import { inSections } from './sections.ts';
import { VERBS as sessions } from './sessions/verbs.ts';
import { VERBS as summaries } from './summaries/verbs.ts';
import { VERBS as sync } from './sync/verbs.ts';
import { VERBS as transfer } from './transfer/verbs.ts';
import { VERBS as truth } from './truth/verbs.ts';
import { VERBS as workspaces } from './workspaces/verbs.ts';

/** Everything that the product can be told to do, in the order in which it is documented. */
export const VERBS = inSections({
  ...memories,
  ...packets,
  ...sessions,
  ...summaries,
  ...workspaces,
  ...consolidation,
  ...documents,
  ...graph,
  ...quality,
  ...history,
  ...truth,
  ...transfer,
  ...sync,
  ...maintenance,
  ...people,
});
