import type { Teams } from '../../../auth/ports.ts';
import type { Engine } from '../../../engine/engine.ts';
import { type Caller, ownerCaller, ownerOf } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Config } from '../../../settings/config.ts';
import { systemClock } from '../../../settings/system-clock.ts';
import { createClient, runVerb } from '../../../verbs/client.ts';
import type { HostContext } from '../../../verbs/verb.ts';
import type { Running, StartingServer } from '../../host.ts';
import { VERBS } from '../verbs.ts';
import { checkMirror } from './bind-mirror.ts';
import { openMirror } from './mirror-files.ts';
import { watchMirror } from './watch-mirror.ts';

/** Where a purge or another process changes something that nobody tells of. */
const EVERY_MS = 60_000;

/**
 * Makes sure that MEMORY_ROOT is ours, can be written to and belongs to this database; throws where it does not. What comes back keeps it as it is in
 * the memory, and reads edits of notes back, for as long as the server runs.
 */
export async function prepareRoot({
  config,
  engine,
  store,
  log,
  isFirst,
}: StartingServer): Promise<(() => Running) | null> {
  const { memoryRoot } = config;
  if (memoryRoot === null || !isFirst) return null;
  const files = openMirror(memoryRoot);
  const caller = await callerFor(config, store);
  const verbs = createClient(VERBS, (verb, input) => {
    const context = { engine, caller, now: systemClock.now(), timeZone: 'UTC' };
    return runVerb(verb, context as unknown as HostContext, input);
  });
  const readBytes = (ref: { workspace: string; session: string }) => engine.readTranscriptBytes(caller, ref);
  const source = { verbs, readBytes };
  await checkMirror(source, files);
  return () => {
    const watching = watchMirror(source, files, {
      everyMs: EVERY_MS,
      onRound: ({ written, sent, warnings }) => {
        if (written.length + sent.length > 0) log.info('root_kept', { written: written.length, sent: sent.length });
        for (const message of warnings) log.warn('root_warning', { message });
      },
      onFailure: (error) =>
        log.error('root_not_kept', {
          code: error instanceof EngineError ? error.code : 'internal',
          message: error instanceof Error ? error.message : String(error),
        }),
    });
    const abort = new AbortController();
    const following = follow(engine, caller, abort.signal, watching.touch);
    return {
      async close() {
        abort.abort();
        await Promise.all([watching.stop(), following]);
      },
    };
  };
}

async function follow(engine: Engine, caller: Caller, signal: AbortSignal, touch: () => void): Promise<void> {
  for await (const { changes } of engine.followChanges(caller, { signal })) if (changes.length > 0) touch();
}

/** The operator's own files are the operator's own words. */
async function callerFor({ workspaceTeam }: Config, store: Teams): Promise<Caller> {
  const owner: Caller = { ...ownerCaller('job', 'mirror'), isPerson: true };
  if (workspaceTeam === null) return owner;
  const team = (await store.findTeam({ name: workspaceTeam })) ?? (await store.findTeam({ id: workspaceTeam }));
  if (team === null)
    throw new EngineError('not_found', 'The team of workspace_team does not exist.', {
      hint: '`ltm teams new NAME` makes it.',
    });
  return { ...owner, space: team.id, spaces: [team.id], roles: ownerOf([team.id]) };
}
