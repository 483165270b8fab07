import type { Observation, SessionDigest } from '../../model/observation.ts';

/** What a session came to so far; `observations`: its latest, oldest first. */
export function digestSession(observations: readonly Observation[]): SessionDigest {
  const asked = observations.find(({ type }) => type === 'prompt')?.summary ?? '';
  const done = observations.filter(({ type, failed }) => type === 'change' && !failed).map(({ summary }) => summary);
  return { asked, done: [...new Set(done)].slice(-10), decided: [], failed: [], open: [], next: '' };
}
