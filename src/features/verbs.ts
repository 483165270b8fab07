import type { Answers } from '../rest/answer-fields.ts';
import type { AnyVerb, VerbTable } from '../verbs/verb.ts';
import type { Feature } from './feature.ts';
import { FEATURES } from './features.ts';
import { VERB_HOMES } from './names.ts';
import { inSections } from './sections.ts';

export const VERB_NAMES: readonly string[] = Object.keys(VERB_HOMES);

/** Loads the feature that has the verb, and no other. */
export async function findVerb(name: string): Promise<AnyVerb | undefined> {
  if (!Object.hasOwn(VERB_HOMES, name)) return undefined;
  const home = VERB_HOMES[name as keyof typeof VERB_HOMES];
  const features: readonly Feature[] = FEATURES;
  return (await features.find((one) => one.name === home)?.verbs?.())?.[name];
}

/** What the verbs of these features answer over REST. */
export async function loadAnswers(features: readonly Feature[]): Promise<Answers> {
  return Object.assign({}, ...(await Promise.all(features.map(({ answers }) => answers?.()))));
}

/** The verbs of these features, in the order in which they are documented. */
export async function loadVerbs(features: readonly Feature[]): Promise<VerbTable> {
  const tables = await Promise.all(features.map(({ verbs }) => verbs?.()));
  return inSections(Object.assign({}, ...tables));
}
