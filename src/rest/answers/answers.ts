import { z } from 'zod';
import { MEMORY_ANSWERS } from './memory-answers.ts';
import { PEOPLE_ANSWERS } from './people-answers.ts';
import { STATE_ANSWERS } from './state-answers.ts';

/** What each verb answers over REST, by its name. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  lines: z.string(),
  ...MEMORY_ANSWERS,
  ...STATE_ANSWERS,
  ...PEOPLE_ANSWERS,
};
