// node evals/doors.ts [FILE…]: asks every question where people and agents ask it, with the program as it is installed and the arguments that they give:
// none but the question. Writes evals/results/doors.md. Needs `npm run build`. --program FILE measures another one, --out FILE writes elsewhere,
// --tokenizer MODULE counts by its `count` (and names its `name`), --commands N asks N questions of a conversation from the terminal.
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { installProgram } from '../bench/installed-program.ts';
import { startMcpChild } from '../bench/mcp-child.ts';
import type { Engine } from '../src/engine/engine.ts';
import { loadConfig } from '../src/features/config.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import { openFts5Baseline } from '../src/features/evaluation/fts5-baseline.ts';
import { type Conversation, readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';
import { createSteppingClock, storeConversation } from '../src/features/evaluation/store-conversation.ts';
import { bootstrapMacro } from '../src/features/evaluation/summarise.ts';
import { ownerCaller } from '../src/model/caller.ts';
import { estimateTokens } from '../src/model/estimate-tokens.ts';
import { openEmbedder } from '../src/server/open-embedder.ts';
import { createLog } from '../src/settings/log.ts';
import { openStore } from '../src/stores/open-store.ts';

const HITS = 10;
const START = Date.UTC(2026, 0, 1);
/** A command is a process of its own: so many of a conversation's questions are asked from the terminal. */
const BY_COMMAND = 4;
const BOOTSTRAP = { samples: 1000, seed: 1 };

/** stdio: `memory_search` of `ltm mcp`. rest: GET /api/v1/search of `ltm serve`. command: `ltm search --json`. bare: the ranking alone, in this process. */
const DOORS = ['bare', 'stdio', 'rest', 'command', 'fts5'] as const;
type Door = (typeof DOORS)[number];

interface Asked {
  category: string;
  isAnswerable: boolean;
  /** The share of the gold items among the first ten; null where the door was not asked, or nothing answers. */
  recall: Record<Door, number | null>;
  verdict: string;
  /** Of the tool's answer. */
  tokens: { text: number; structured: number };
  shown: number;
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string' },
    out: { type: 'string' },
    commands: { type: 'string' },
    tokenizer: { type: 'string' },
  },
});

function findSets(): string[] {
  const locomo = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
  return [...(existsSync(locomo) ? [locomo] : []), ...globSync(join(import.meta.dirname, 'data/*.json.gz')).sort()];
}

const installed = options.program === undefined ? installProgram() : null;
const program = options.program ?? installed!.program;
const folder = mkdtempSync(join(tmpdir(), 'ltm-doors-'));
const log = createLog('warn');
const embedder = await openEmbedder(loadConfig({ flags: {}, env: {}, file: join(folder, 'none.json') }), log);
const asBefore = promisify(execFile);
let databases = 0;

async function askConversation(conversation: Conversation): Promise<Asked[]> {
  const home = join(folder, `home-${++databases}`);
  const db = join(folder, `${databases}.db`);
  const env = { PATH: process.env.PATH ?? '', HOME: home, LTM_CACHE_DIR: join(folder, 'cache'), LTM_DB: db };
  const clock = createSteppingClock(START);
  const store = await openStore(db, { clock, log });
  const engine = createEngine({ store, embedder, clock, log }, { ...DEFAULT_SETTINGS, redact: 'off' });
  const caller = ownerCaller('mcp');
  const hasEmbedder = embedder !== null;
  const { itemOf } = await storeConversation(
    { engine, clock, caller, hasEmbedder, onStored: async () => {} },
    conversation,
  );
  const bare = new Map<string, string[]>();
  for (const { text } of conversation.questions) bare.set(text, await askEngine(engine, text));
  await engine.close();
  const baseline = openFts5Baseline(conversation.items.map((item) => item.text));
  const mcp = await startMcpChild([program, 'mcp'], env);
  const server = await startServer(env);
  const asked: Asked[] = [];
  const every = Math.max(1, Math.floor(conversation.questions.length / Number(options.commands ?? BY_COMMAND)));
  try {
    for (const [i, { text, gold, category }] of conversation.questions.entries()) {
      const scoreOf = (items: readonly (string | undefined)[] | null): number | null => {
        if (gold.length === 0 || items === null) return null;
        const first = new Set(items.slice(0, HITS));
        return gold.filter((id) => first.has(id)).length / gold.length;
      };
      const named = (ids: readonly string[] | null) => ids?.map((id) => itemOf.get(id)) ?? null;
      const answer = (await mcp.call('memory_search', { query: text })) as ToolAnswer;
      const told = answer.structuredContent;
      const command = i % every === 0 ? await askCommand(text, env) : null;
      asked.push({
        category,
        isAnswerable: gold.length > 0,
        recall: {
          bare: scoreOf(named(bare.get(text)!)),
          stdio: scoreOf(named(told.hits.map(({ id }) => id))),
          rest: scoreOf(named(await server.ask(text))),
          command: scoreOf(named(command)),
          fts5: scoreOf(baseline.rank(text, HITS).map((at) => conversation.items[at]!.id)),
        },
        verdict: told.verdict,
        tokens: {
          text: tokenizer.count(answer.content.map((block) => block.text).join('\n')),
          structured: tokenizer.count(JSON.stringify(told)),
        },
        shown: told.hits.length,
      });
    }
  } finally {
    baseline.close();
    await mcp.stop();
    await server.stop();
  }
  return asked;
}

interface ToolAnswer {
  content: { text: string }[];
  structuredContent: { verdict: string; hits: { id: string }[] };
}

/** Ours counts on the high side, JSON most of all. */
const tokenizer: { name: string; count(text: string): number } =
  options.tokenizer === undefined
    ? { name: 'an estimate on the high side', count: estimateTokens }
    : await import(options.tokenizer);

async function askEngine(engine: Engine, query: string): Promise<string[]> {
  const { hits } = await engine.search(ownerCaller('mcp'), { query, limit: HITS, maxChars: 0 });
  return hits.map(({ id }) => id);
}

async function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line: string = (await lines.next()).value ?? '';
  const { url, token_file: file } = JSON.parse(line) as { url: string; token_file: string };
  const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` };
  return {
    async ask(query: string): Promise<string[]> {
      const response = await fetch(`${url}/api/v1/search?q=${encodeURIComponent(query)}`, { headers });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return ((await response.json()) as { hits: { id: string }[] }).hits.map(({ id }) => id);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

async function askCommand(query: string, env: Record<string, string>): Promise<string[]> {
  const { stdout } = await asBefore(process.execPath, [program, 'search', '--json', '--', query], { env });
  return (JSON.parse(stdout) as { hits: { id: string }[] }).hits.map(({ id }) => id);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** The mean of the categories' means, as everywhere in these evaluations. */
function macroOf(asked: readonly Asked[], door: Door): number | null {
  const groups = groupsOf(asked, door);
  return groups.length === 0 ? null : meanOf(groups.map(meanOf));
}

function groupsOf(asked: readonly Asked[], door: Door): number[][] {
  const known = asked.filter(({ recall }) => recall[door] !== null);
  return [...Map.groupBy(known, ({ category }) => category).values()].map((own) =>
    own.map(({ recall }) => recall[door]!),
  );
}

const three = (value: number | null): string => (value === null ? '' : value.toFixed(3));
const share = (list: readonly Asked[], verdict: string): string =>
  list.length === 0
    ? ''
    : `${((list.filter((one) => one.verdict === verdict).length / list.length) * 100).toFixed(1)} %`;

function rowOf(name: string, asked: readonly Asked[]): string[] {
  const interval = bootstrapMacro(groupsOf(asked, 'stdio'), BOOTSTRAP)!;
  const sampled = asked.filter(({ recall }) => recall.command !== null);
  const whole = asked.filter(({ shown }) => shown === HITS);
  return [
    name,
    String(asked.length),
    three(macroOf(asked, 'bare')),
    `**${three(macroOf(asked, 'stdio'))}**`,
    `${three(interval.low)}–${three(interval.high)}`,
    three(macroOf(asked, 'rest')),
    `${three(macroOf(sampled, 'command'))} / ${three(macroOf(sampled, 'bare'))} (${sampled.length})`,
    three(macroOf(asked, 'fts5')),
    whole.length === 0 ? '' : Math.round(meanOf(whole.map(({ tokens }) => tokens.text))).toString(),
    whole.length === 0 ? '' : Math.round(meanOf(whole.map(({ tokens }) => tokens.structured))).toString(),
    `${((whole.length / asked.length) * 100).toFixed(0)} %`,
    share(
      asked.filter(({ isAnswerable }) => isAnswerable),
      'nothing',
    ),
    share(
      asked.filter(({ isAnswerable }) => !isAnswerable),
      'found',
    ),
  ];
}

const HEAD = [
  'set',
  'questions',
  'bare ranking',
  '`memory_search`',
  '95 %',
  'REST',
  '`ltm search` / bare (asked)',
  'FTS5',
  'tokens, text',
  'tokens, structured',
  'ten hits',
  'answerable, "nothing"',
  'unanswerable, "found"',
];

const rows: string[][] = [];
try {
  for (const file of positionals.length > 0 ? positionals : findSets()) {
    const { conversations } = await readEvaluationFile(file);
    const asked: Asked[] = [];
    for (const conversation of conversations) asked.push(...(await askConversation(conversation)));
    rows.push(rowOf(basename(file).replace(/(\.eval)?\.json(\.gz)?$/, ''), asked));
    console.error(rows.at(-1)!.join(' | '));
  }
} finally {
  installed?.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
const table = [HEAD, HEAD.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n');
const page = `# Recall by the doors

Written by \`node evals/doors.ts\`: the built program, each conversation in a database of its own, each question asked with no argument but itself. R@10 is the *fraction*, macro ([README](../README.md)). *Bare ranking* is what the engine ranks among the first ten, which a door may only hide. The command is asked a sample, beside which the bare ranking of the same questions stands. Tokens are those of answers with ten hits, by ${tokenizer.name}: an agent is given the text or the structured form.

${table}
`;
writeFileSync(options.out ?? join(import.meta.dirname, 'results/doors.md'), page);
console.log(page);
