// node evals/consolidation.ts [FILE…]: what consolidation does to recall; writes evals/results/consolidation.md and fails where recall falls.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Engine } from '../src/engine/engine.ts';
import { loadConfig } from '../src/features/config.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { askEngine } from '../src/features/evaluation/ask.ts';
import { type Conversation, readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';
import { scoreRanking } from '../src/features/evaluation/score-ranking.ts';
import {
  createSteppingClock,
  type StoredConversation,
  storeConversation,
} from '../src/features/evaluation/store-conversation.ts';
import { type Caller, ownerOf } from '../src/model/caller.ts';
import { openEmbedder } from '../src/server/open-engine.ts';
import { engineSettings } from '../src/settings/config.ts';
import { createLog } from '../src/settings/log.ts';
import { openStore } from '../src/stores/open-store.ts';

const K = 10;
const DAY = 86_400_000;
/** Long enough that what is temporary, disliked or without relevance has become so. */
const LATER = 60 * DAY;

function findSets(): string[] {
  const locomo = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
  const own = ['assistant', 'developer', 'friends'].map((name) => join(import.meta.dirname, `data/${name}.json.gz`));
  return [...(existsSync(locomo) ? [locomo] : []), ...own];
}

interface Stored {
  conversation: Conversation;
  caller: Caller;
  stored: StoredConversation;
}

/** By the id of a summary, the ids of what it was made of. */
type Sources = ReadonlyMap<string, readonly string[]>;

/** R@k fraction, the mean over the categories of a set. With `sources`, a summary that is found leads to what it was made of, as it does for whoever reads on. */
async function measure(engine: Engine, all: readonly Stored[], sources: Sources = new Map()): Promise<number> {
  // Brings the index to rest: while it is being written, ties may fall otherwise.
  await engine.runUpkeep();
  const byCategory = new Map<string, number[]>();
  for (const { conversation, caller, stored } of all)
    for (const { text, gold, category } of conversation.questions) {
      if (gold.length === 0) continue;
      const nameOf = (hit: { id: string }) => stored.itemOf.get(hit.id) ?? hit.id;
      const ranking = await askEngine({ engine, caller, text, limit: K, nameOf, wanted: new Set(gold) });
      const shown = ranking.slice(0, K);
      const led = shown.flatMap((name) => sources.get(name) ?? []).map((id) => stored.itemOf.get(id) ?? id);
      const reached = new Set([...shown, ...led]);
      const { recall } = scoreRanking(shown, gold, { recallAt: [K], ndcgAt: K, mrrAt: K });
      const fraction =
        led.length === 0 ? recall[K]!.fraction : gold.filter((name) => reached.has(name)).length / gold.length;
      byCategory.set(category, [...(byCategory.get(category) ?? []), fraction]);
    }
  const means = [...byCategory.values()].map((list) => list.reduce((sum, one) => sum + one, 0) / list.length);
  return means.reduce((sum, one) => sum + one, 0) / means.length;
}

async function listSources(engine: Engine, all: readonly Stored[]): Promise<Map<string, readonly string[]>> {
  const sources = new Map<string, readonly string[]>();
  for (const { caller } of all) {
    const { items } = await engine.listMemories(caller, { filter: { types: ['pattern'] }, page: { limit: 1000 } });
    for (const { id, metadata } of items)
      if (Array.isArray(metadata.sources)) sources.set(id, metadata.sources as string[]);
  }
  return sources;
}

async function evaluate(file: string): Promise<{ cells: string[]; falls: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-eval-'));
  const config = loadConfig({ flags: {}, env: {}, file: join(folder, 'config.json') });
  const log = createLog('warn');
  const stepping = createSteppingClock(Date.UTC(2026, 0, 1));
  let later = 0;
  const clock = { ...stepping, now: () => stepping.now() + later };
  const embedder = await openEmbedder(config, log);
  const opened = await openStore(join(folder, 'eval.db'), { clock, log });
  let countsReads = false;
  // What is asked in order to measure is no use of a memory, unless it shall be.
  const recordReads: typeof opened.recordReads = async (...read) =>
    countsReads ? opened.recordReads(...read) : undefined;
  const store = { ...opened, recordReads };
  const engine = createEngine({ store, embedder, clock, log }, engineSettings(config));
  try {
    const all: Stored[] = [];
    for (const [i, conversation] of (await readEvaluationFile(file)).conversations.entries()) {
      const space = `eval-${i}`;
      const about = { userId: 'evaluation', space, spaces: [space], door: 'mcp' as const };
      const caller: Caller = { ...about, roles: ownerOf([space]), scopes: new Set(['read', 'write']) };
      const storing = { engine, clock, caller, hasEmbedder: true, onStored: async () => {} };
      all.push({ conversation, caller, stored: await storeConversation(storing, conversation) });
    }
    later = LATER;
    const memories = all.reduce((sum, { stored }) => sum + stored.itemOf.size, 0);
    const before = await measure(engine, all);
    const [runs, made] = [new Map<Caller, string>(), { summaries: 0, sources: 0, archived: 0, changed: 0 }];
    for (const { caller } of all) {
      const report = await engine.consolidate(caller, { horizon: 'monthly' });
      runs.set(caller, report.run!);
      made.summaries += report.summaries.clusters;
      made.archived += report.forgetting.archived;
      made.changed += report.decay.changed;
    }
    const after = await measure(engine, all);
    const followed = await measure(engine, all, await listSources(engine, all));
    for (const [caller, run] of runs) await engine.undoConsolidation(caller, run);
    const undone = await measure(engine, all);
    countsReads = true;
    await measure(engine, all);
    countsReads = false;
    for (const { caller } of all) await engine.consolidate(caller, { horizon: 'monthly' });
    const used = await measure(engine, all);
    let aged = 0;
    for (const { caller } of all)
      aged += (await engine.consolidate(caller, { horizon: 'monthly', forget: 'aged' })).forgetting.archived;
    const forgotten = await measure(engine, all);
    const figures = [before, after, followed, undone, used, forgotten].map((figure) => figure.toFixed(4));
    const counts = [made.summaries, made.archived, aged].map(String);
    const name = basename(file).replace(/(\.eval)?\.json\.gz$/, '');
    return { cells: [name, String(memories), ...figures, ...counts], falls: after < before - 1e-9 };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const files = process.argv.slice(2);
const rows: string[][] = [];
let hasFallen = false;
for (const file of files.length > 0 ? files : findSets()) {
  const { cells, falls } = await evaluate(file);
  rows.push(cells);
  hasFallen ||= falls;
  console.error(cells.join(' | '));
}
const head = [
  'set',
  'memories',
  'before',
  'after a monthly run',
  'and with what its summaries lead to',
  'after its undo',
  'after a run that counts the reads of asking',
  'after `forget: aged`',
  'summaries',
  'archived',
  'archived, aged',
];
const table = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');
const page = `# Recall before and after consolidation

Written by \`node evals/consolidation.ts\`. R@${K} fraction of the original memories, the mean over the categories of each set; a summary that is found counts for nothing, but in the third column for what it was made of, to which its relations lead. Each conversation is stored, asked about ${LATER / DAY} days later, consolidated with the defaults (\`monthly\`: decay, duplicates, summaries, careful forgetting) and asked about again. In the column after the undo's, the same questions, asked once more, count as reads before another run: what was found often gains a little, right or wrong. The last figure shows what forgetting by age would cost, which is why it is not the default.

Consolidation does not raise recall on these sets, and does not lower it: what is summarised here is said over and over, while the questions ask for what was said once. Its use is elsewhere: an overview of what many memories say, and fewer of no use.

${table}
`;
mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
if (files.length === 0) writeFileSync(join(import.meta.dirname, 'results', 'consolidation.md'), page);
console.log(page);
if (hasFallen) process.exitCode = 1;
