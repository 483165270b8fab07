import type { Observation } from '../../features/sessions/observation.ts';
import { dayOf } from '../../model/instant.ts';
import { filesOf, summaryOf, toolOf } from './describe-observation.ts';

/** Markdown, one line each. */
export function describeBullets(observations: readonly Observation[]): string {
  return observations
    .map((one) => {
      const files = filesOf(one);
      return `- [${dayOf(one.at)}] ${toolOf(one)}: ${summaryOf(one)}${files === '' ? '' : ` [${files}]`}`;
    })
    .join('\n');
}
