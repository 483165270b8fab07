import { flag, label } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { ForgetInput, Forgotten } from '../forget-observations.ts';

/** Some observations, or a session with all that happened in it. They can be restored for a while, as everything that is deleted. */
export const forgetObservations = defineVerb<ForgetInput, Forgotten>({
  needs: 'write',
  input: {
    refs: { type: 'refs', min: 1, max: 100, about: 'Numbers or ids of observations.' },
    session: label("Instead: everything of this session, by the agent's own id."),
    derived: flag(
      'With session: also the memories that were harvested from it, or that its prompts asked to be remembered. Otherwise they are named, and stay.',
    ),
  },
  run: ({ engine, caller }, input) => engine.forgetObservations(caller, input),
  rest: {
    at: 'POST /observations/forget',
    summary: 'Delete observations, or a session with all that happened in it',
    example: { body: { refs: ['41', '42'] } },
    answers: { 200: 'How many were deleted, which are not there, and which memories of the session stay.' },
  },
});
