import { foldInSteps } from '../src/model/fold-claim.ts';

/** The folded form of a text, in one go. */
export function foldClaim(text: string): string {
  const steps = foldInSteps(text);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
