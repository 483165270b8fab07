// The table of the README: ltm as installed from its tarball beside the memory systems that people know, in one run. Needs a registry for the others.
// Writes bench/results/others.md and the table in README.md: node bench/others-bench.ts
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';
import { installPacked, packProgram } from '../test/packed/pack-program.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { writeExport } from './installed-program.ts';
import { startMcpChild } from './mcp-child.ts';
import { median } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const REFERENCE = { name: '@modelcontextprotocol/server-memory', version: '2026.8.31' };
const ROUNDS = 9;
const MEMORIES = 10_000;
const SEARCHES = 60;
/** Of each question the best: other work shares the machine. */
const SEARCH_ROUNDS = 3;
const PROCESSES = 8;
const STORES = 25;
/** JSON of this kind takes fewer tokens with every tokenizer tried. */
const CHARS_PER_TOKEN = 3.6;

interface System {
  args: readonly string[];
  /** Of a server on this file. */
  env(file: string): Record<string, string>;
  store(content: string): [string, object];
  search(query: string): [string, object];
  /** Fills a new file with memories. */
  fill(file: string, texts: readonly string[]): void;
  count(file: string): number;
}

interface Measured {
  bytes: number;
  packages: number;
  startRatio: number;
  tokens: number;
  searchMs: number;
  kept: number;
  keepsSecrets: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'ltm-others-'));
try {
  const { passages, questions } = readCorpus(DEFAULT_DATA, MEMORIES);
  const asked = questions.slice(0, SEARCHES);
  const installed = installPacked(packProgram(), folder);
  const ltm = await measure(makeLtm(installed.program), passages, asked, { bytes: installed.bytes, packages: 1 });
  const reference = makeReference();
  const other = await measure(reference, passages, asked, sizeOf(join(folder, 'reference', 'node_modules')));
  const recall = await measureRecall(reference);
  writeResults(describeTable(ltm, other, recall));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeLtm(program: string): System {
  const env = (file: string) => ({ PATH: process.env.PATH ?? '', HOME: folder, LTM_DB: file });
  const run = (file: string, ...words: string[]): string =>
    execFileSync(process.execPath, [program, ...words], {
      env: env(file),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  return {
    args: [program, 'mcp'],
    env,
    store: (content) => ['memory_store', { content }],
    search: (query) => ['memory_search', { query }],
    fill(file, texts) {
      writeExport(`${file}.jsonl`, texts);
      run(file, 'import', `${file}.jsonl`);
      rmSync(`${file}.jsonl`);
    },
    count: (file) => JSON.parse(run(file, 'list', '--limit', '1', '--json')).total,
  };
}

function makeReference(): System {
  const own = join(folder, 'reference');
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', `${REFERENCE.name}@${REFERENCE.version}`], { cwd: own });
  const entity = (content: string) => ({ name: content.slice(0, 60), entityType: 'note', observations: [content] });
  return {
    args: [join(own, 'node_modules', REFERENCE.name, 'dist', 'index.js')],
    env: (file) => ({ PATH: process.env.PATH ?? '', HOME: folder, MEMORY_FILE_PATH: file }),
    store: (content) => ['create_entities', { entities: [entity(content)] }],
    search: (query) => ['search_nodes', { query }],
    fill: (file, texts) =>
      writeFileSync(file, texts.map((text) => JSON.stringify({ type: 'entity', ...entity(text) })).join('\n')),
    count: (file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{')).length,
  };
}

async function measure(
  system: System,
  passages: readonly string[],
  asked: readonly string[],
  size: Pick<Measured, 'bytes' | 'packages'>,
): Promise<Measured> {
  const place = mkdtempSync(join(folder, 'system-'));
  const bare: number[] = [];
  const starts: number[] = [];
  let tokens = 0;
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(timed(() => spawnSync(process.execPath, ['-e', '0'])));
    const child = await startMcpChild(system.args, system.env(join(place, 'empty')));
    starts.push(child.startMs);
    tokens = child.toolsChars / CHARS_PER_TOKEN;
    await child.stop();
  }
  return {
    ...size,
    startRatio: Math.min(...starts) / Math.min(...bare),
    tokens,
    searchMs: await timeSearches(system, join(place, 'full'), passages, asked),
    kept: await writeAtOnce(system, join(place, 'shared')),
    keepsSecrets: await storeSecret(system, mkdtempSync(join(place, 'secret-'))),
  };
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function timeSearches(system: System, file: string, passages: readonly string[], asked: readonly string[]) {
  system.fill(file, passages);
  const child = await startMcpChild(system.args, system.env(file));
  await child.call(...system.search(asked[0]!));
  const took: number[] = [];
  for (const question of asked) {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < SEARCH_ROUNDS; round++) {
      const started = performance.now();
      await child.call(...system.search(question));
      best = Math.min(best, performance.now() - started);
    }
    took.push(best);
  }
  await child.stop();
  return median(took);
}

/** Several agents store at the same time: how many of their memories are there afterwards? */
async function writeAtOnce(system: System, file: string): Promise<number> {
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, () => startMcpChild(system.args, system.env(file))),
  );
  await Promise.all(
    children.map(async (child, number) => {
      for (let at = 0; at < STORES; at++)
        await child
          .call(...system.store(`Process ${number} noted ${at}: the port of service ${number * STORES + at}`))
          .catch(() => {});
    }),
  );
  for (const child of children) await child.stop();
  return system.count(file);
}

/** Is a token that was in the text in a file afterwards? Made here, so that this file holds none. */
async function storeSecret(system: System, place: string): Promise<boolean> {
  const secret = `ghp_${Array.from({ length: 36 }, (_, at) => 'aB3dE5gH7jK9'[(at * 5) % 12]).join('')}`;
  const child = await startMcpChild(system.args, system.env(join(place, 'memory')));
  await child.call(...system.store(`Deploy with the token ${secret} from the build machine`));
  await child.stop();
  return readdirSync(place).some((name) => readFileSync(join(place, name)).includes(secret));
}

function sizeOf(modules: string): Pick<Measured, 'bytes' | 'packages'> {
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const packages = files.filter((path) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)).length;
  return { packages, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
}

/** R@10, fraction, macro over the categories of LoCoMo, as everywhere here; null where LoCoMo is not beside the project. */
async function measureRecall(system: System): Promise<number | null> {
  const data = join(DEFAULT_DATA, 'data', 'locomo', 'locomo.eval.json.gz');
  if (!existsSync(data)) return null;
  const { conversations } = await readEvaluationFile(data);
  const byCategory = new Map<string, number[]>();
  for (const [number, { items, questions }] of conversations.entries()) {
    const file = join(folder, `locomo-${number}`);
    system.fill(
      file,
      items.map(({ id, text }) => `${id}|${text}`),
    );
    const child = await startMcpChild(system.args, system.env(file));
    for (const { text, gold, category } of questions.filter((question) => question.gold.length > 0)) {
      const answer = JSON.stringify(await child.call(...system.search(text)));
      const found = gold.filter((id) => answer.includes(`"${id}|`)).length;
      byCategory.set(category, [...(byCategory.get(category) ?? []), found / gold.length]);
    }
    await child.stop();
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean([...byCategory.values()].map(mean));
}

function describeTable(ltm: Measured, other: Measured, recall: number | null): string[] {
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)}×`;
  const count = (value: number): string => (Math.round(value / 10) * 10).toLocaleString('en');
  const search = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
  const all = PROCESSES * STORES;
  const locomo = /^\| locomo \|(?: [\d.]+ \|){2} \*\*([\d.]+)\*\* \|/m.exec(
    readFileSync(join(ROOT, 'evals', 'results', 'doors.md'), 'utf8'),
  )![1]!;
  const rows = [
    ['', '**ltm**', 'mcp-memory-service 12.4 ¹', `reference server ${REFERENCE.version} ²`],
    ['---', '---', '---', '---'],
    [
      'on disk, packages',
      `${megabytes(ltm.bytes)}, ${ltm.packages}`,
      '300 MB + 90 MB model, 74',
      `${megabytes(other.bytes)}, ${other.packages}`,
    ],
    ['start of the MCP server, by a bare Node', times(ltm.startRatio), '61×', times(other.startRatio)],
    ['tokens of the tool list', count(ltm.tokens), '12,000', count(other.tokens)],
    ['search among 10,000', search(ltm.searchMs), '296 ms', search(other.searchMs)],
    ['recall@10 on LoCoMo', locomo, '0.419', recall === null ? 'not measured' : recall.toFixed(3)],
    ['offline from the first start', 'yes', 'no: fetches its model', 'yes'],
    [`${PROCESSES} agents on one file, ${all} memories`, `${ltm.kept} kept`, 'not measured', `${other.kept} kept`],
    ['undo of deletions and changes', 'yes', 'no', 'no'],
    [
      'a token in the text',
      ltm.keepsSecrets ? 'stored' : 'replaced before it is stored',
      'not measured',
      other.keepsSecrets ? 'stored' : 'replaced',
    ],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`);
}

function writeResults(table: readonly string[]): void {
  const results = `# Beside other systems

Written by \`node bench/others-bench.ts\`, which also writes the table in the README: ltm as \`npm install -g\` of its tarball, over stdio, with its defaults.

${table.join('\n')}

- *Start*: from the start of the process to the answer to \`tools/list\`, best of ${ROUNDS}, by that of \`node -e 0\` in the same run.
- *Tokens*: characters of the answer to \`tools/list\` by ${CHARS_PER_TOKEN}.
- *Search*: median of ${SEARCHES} real questions over stdio, each the best of ${SEARCH_ROUNDS}, among ${MEMORIES.toLocaleString('en')} passages of about 450 characters, after a first one.
- *Recall*: R@10 *fraction* at the level of turns, macro over the categories, on the same items. That of ltm is what \`memory_search\` shows with no argument but the question ([doors.md](../../evals/results/doors.md)).
- *Agents on one file*: ${PROCESSES} servers at once, each asked to store ${STORES} memories; counted afterwards.
- *A token in the text*: whether the files hold it afterwards.

¹ Measured earlier on the same kind of machine, with all-MiniLM-L6-v2 and its hybrid search; its milliseconds are of another day. ² \`${REFERENCE.name}\`, measured in the same run as ltm. Its search looks for the whole query in the text.
`;
  writeFileSync(join(ROOT, 'bench', 'results', 'others.md'), results);
  const path = join(ROOT, 'README.md');
  const readme = readFileSync(path, 'utf8');
  const [start, end] = ['<!-- others -->\n', '<!-- /others -->'];
  const [before, rest] = [readme.slice(0, readme.indexOf(start) + start.length), readme.slice(readme.indexOf(end))];
  writeFileSync(path, `${before}${table.join('\n')}\n${rest}`);
}
