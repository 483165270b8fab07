// node bench/run.ts [--large] [--data folder]: every bench in its own process, one after the other; writes bench/results/latest.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA } from './corpus.ts';

const { values: options } = parseArgs({
  options: { large: { type: 'boolean', default: false }, data: { type: 'string', default: DEFAULT_DATA } },
});
const million = options.large ? ',1000000' : '';
const data = ['--data', options.data];

const BENCHES = [
  { title: 'Start of `ltm mcp`', file: 'start-bench.ts', args: [] },
  { title: 'Hooks', file: 'hook-bench.ts', args: [] },
  { title: 'Single commands', file: 'command-bench.ts', args: data },
  {
    title: 'Search by words',
    file: 'search-bench.ts',
    args: ['--sizes', `1000,10000,100000,330000${million}`, ...data],
  },
  {
    title: 'Search by words and meaning',
    file: 'search-bench.ts',
    args: ['--vectors', '--sizes', `1000,10000,100000${million}`, ...data],
  },
  { title: 'Storing in batches', file: 'ingest-bench.ts', args: data },
];

const sections = BENCHES.map(({ title, file, args }) => {
  console.error(`${title} …`);
  const table = execFileSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return `## ${title}\n\n${table}`;
});
const head = `# Last results\n\n${availableParallelism()} cores, Node ${process.versions.node}. How to read this: [README](../README.md).\n`;
mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
writeFileSync(join(import.meta.dirname, 'results', 'latest.md'), [head, ...sections].join('\n'));
