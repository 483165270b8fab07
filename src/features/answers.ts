// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import type { Answers } from '../rest/answer-fields.ts';
import { ANSWERS as consolidation } from './consolidation/answers.ts';
import { ANSWERS as documents } from './documents/answers.ts';
import { ANSWERS as graph } from './graph/answers.ts';
import { ANSWERS as history } from './history/answers.ts';
import { ANSWERS as maintenance } from './maintenance/answers.ts';
import { ANSWERS as memories } from './memories/answers.ts';
import { ANSWERS as people } from './people/answers.ts';
import { ANSWERS as quality } from './quality/answers.ts';
import { ANSWERS as sessions } from './sessions/answers.ts';
import { ANSWERS as summaries } from './summaries/answers.ts';
import { ANSWERS as sync } from './sync/answers.ts';
import { ANSWERS as transfer } from './transfer/answers.ts';
import { ANSWERS as truth } from './truth/answers.ts';
import { ANSWERS as workspaces } from './workspaces/answers.ts';

/** What each verb answers over REST, by its name, and the components of the document. */
export const ANSWERS: Answers = {
  ...memories,
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
};
