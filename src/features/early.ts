// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import type { AnswerHook, CheckOutgoing, InstantCommand } from './host.ts';
import type { Late } from './late.ts';

/** Commands that an agent waits for: they are found here without any declaration, which would take longer to load than they run. */
export const INSTANT: Readonly<Record<string, Late<InstantCommand>>> = {
  hook: async () => (await import('./sessions/terminal/hook.ts')).captureEvent,
};

/** Asked one after the other by a hook that found no server. */
export const ANSWERING: readonly Late<AnswerHook>[] = [
  async () => (await import('./sessions/capture/answer-hook.ts')).answerHook,
];

/** Asked of every message on its way to a server. */
export const OUTGOING: readonly Late<CheckOutgoing>[] = [
  async () => (await import('./packets/refuse-secrets-in-call.ts')).refuseSecretsInCall,
];
