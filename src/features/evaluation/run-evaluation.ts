import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Engine, EngineSettings } from '../../engine/engine.ts';
import type { Embedder, Log } from '../../engine/ports.ts';
import { readOnlyStore } from '../../engine/read-only-store.ts';
import { callTool } from '../../mcp/call-tool.ts';
import { toolsOfVerbs } from '../../mcp/verb-tool.ts';
import { ownerCaller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { SearchResult } from '../../model/search.ts';
import { isDatabaseUrl } from '../../model/show-location.ts';
import { type Config, engineSettings } from '../../settings/config.ts';
import { systemClock } from '../../settings/system-clock.ts';
import type { Databases, Engines } from '../../verbs/machine.ts';
import { VERBS } from '../memories/verbs.ts';
import { type AskDoor, USUAL_LIMIT } from './ask.ts';
import type { EvaluationRun, FileEvaluation } from './describe-evaluation.ts';
import { type EvaluateOptions, type EvaluationPorts, evaluateConversations } from './evaluate-conversations.ts';
import { openFts5Baseline } from './fts5-baseline.ts';
import { evaluateOwn, type OwnOptions } from './own/evaluate-own.ts';
import { listAllIds } from './own/list-all-ids.ts';
import type { OwnEvaluation } from './own/summarise-own.ts';
import { readEvaluationFile } from './read-conversations.ts';
import { createSteppingClock } from './store-conversation.ts';
import { meanOf } from './summarise.ts';

export { describeRun, type EvaluationRun, type FileEvaluation } from './describe-evaluation.ts';
export { describeOwn, type Found, type OwnEvaluation } from './own/summarise-own.ts';
export type { Metrics } from './score-ranking.ts';
export { type Evaluation, SYSTEMS, type System } from './summarise.ts';

/** The first day of every evaluation, so that two runs are alike. */
const START = Date.UTC(2026, 0, 1);

export interface RunOptions extends EvaluateOptions {
  /** Only so many conversations of each file; undefined: all. */
  limit?: number | undefined;
  /** Parts of the ranking to leave out. */
  rankWithout?: EngineSettings['rankWithout'];
}

/** Every file through the real store and search, in a database that is gone afterwards. All files are read before anything is measured. */
export async function runEvaluation(
  machine: Databases & Engines,
  config: Config,
  { log, files, ...options }: RunOptions & { log: Log; files: readonly string[] },
): Promise<EvaluationRun> {
  const read = await Promise.all(
    files.map(async (file) => ({ file: basename(file), ...(await readEvaluationFile(file)) })),
  );
  return withTemporaryFolder(async (folder) => {
    const embedder = await machine.openEmbedder(config, log);
    const settings = { ...engineSettings(config), rankWithout: options.rankWithout ?? [] };
    const ports = await openPorts(machine, settings, { db: join(folder, 'eval.db'), embedder, log });
    try {
      const evaluated: FileEvaluation[] = [];
      for (const { file, conversations, notices } of read) {
        const evaluation = await evaluateConversations(ports, conversations.slice(0, options.limit), {
          ...options,
          onProgress: named(file, options),
        });
        evaluated.push({ file, evaluation: { ...evaluation, notices: [...notices, ...evaluation.notices] } });
      }
      const macro = meanOf(evaluated.map(({ evaluation }) => evaluation.macro));
      return { embedder: embedder?.id ?? null, k: options.k, files: evaluated, macro };
    } finally {
      await ports.engine.close();
    }
  });
}

function named(file: string, { onProgress }: RunOptions): RunOptions['onProgress'] {
  return (step, done, total) => onProgress?.(`${step}  ${file}`, done, total);
}

async function openPorts(
  machine: Databases & Engines,
  settings: EngineSettings,
  { db, embedder, log }: { db: string; embedder: Embedder | null; log: Log },
): Promise<EvaluationPorts> {
  const clock = createSteppingClock(START);
  const store = await machine.openStore(db, { clock, log });
  const engine = await machine.createEngine({ store, embedder, clock, log }, settings);
  let spaces = 0;
  const newSpace = (): string => `eval-${++spaces}`;
  const askDoor = createAskDoor(engine, log);
  return { engine, askDoor, clock, hasEmbedder: embedder !== null, newSpace, openBaseline: openFts5Baseline };
}

/** The tool that agents call, with the question as its only argument unless another number of hits is wanted. */
export function createAskDoor(engine: Engine, log: Log): AskDoor {
  const tool = toolsOfVerbs({ searchMemories: VERBS.searchMemories })[0]?.tools?.[0];
  if (tool === undefined) throw new Error('There is no memory_search.');
  return async (caller, { text, limit }) => {
    const args = limit === USUAL_LIMIT ? { query: text } : { query: text, limit };
    const { structuredContent, isError } = await callTool(tool, args, { open: async () => ({ engine, caller }), log });
    if (isError === true)
      throw new EngineError('internal', `memory_search failed: ${JSON.stringify(structuredContent)}`);
    const { hits, verdict } = structuredContent as { hits: { id: string }[]; verdict: SearchResult['verdict'] };
    return { ids: hits.map(({ id }) => id), verdict };
  };
}

/** Also removed when the process is made to exit meanwhile. */
async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-eval-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Asks the owner's memories about themselves. Writes nothing, not even that they were read. */
export async function runOwnEvaluation(
  machine: Databases & Engines,
  config: Config,
  { log, ...options }: OwnOptions & { log: Log },
): Promise<OwnEvaluation> {
  if (!isDatabaseUrl(config.db) && !existsSync(config.db)) {
    throw new EngineError('not_found', `There is no database at ${config.db}.`, {
      hint: 'Store some memories first, or give another database with --db.',
    });
  }
  const embedder = await machine.openEmbedder(config, log);
  const store = readOnlyStore(await machine.openStore(config.db, { log }), 'An evaluation writes nothing.');
  const engine = await machine.createEngine({ store, embedder, clock: systemClock, log }, engineSettings(config));
  try {
    const caller = ownerCaller('cli');
    const ids = await listAllIds(store, caller.space);
    const own = { engine, askDoor: createAskDoor(engine, log), caller, ids, hasEmbedder: embedder !== null };
    return await evaluateOwn({ ...own, now: systemClock.now() }, options);
  } finally {
    await engine.close();
  }
}
