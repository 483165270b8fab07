// node evals/planted-secrets.ts [--seed N] [--door WORD]: how much of planted secrets reaches the disk, on lines of their own, in list items and in sentences, through the
// program's doors; prints the table of evals/results/planted-secrets.md. What does not arrive proves nothing: stores and ingests are also made with
// `redact = off`, and of harvests the statements are counted that were kept.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/features/evaluation/seeded-random.ts';
import { type Machine, makeMachine } from '../test/e2e/hook-process.ts';
import { makeServeFolder, removeFolder, startServe } from '../test/e2e/serve-process.ts';
import { isLeft, type Planted, plantInShapes } from './redaction/measure-shapes.ts';
import { PLACES } from './redaction/places.ts';
import { TUNED } from './redaction/shapes.ts';
import { HELD_OUT_SHAPES } from './redaction/shapes-held-out.ts';

const EACH = 5;
/** Tried without redaction, too. */
const TRIED_OPEN = 'a sentence';
const BATCH = 50;
const GROUPS = ['passwords', 'placed'] as const;

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '28' }, door: { type: 'string', default: '' } },
});

type Redact = 'replace' | 'off';
interface Disk {
  /** All that lies there. */
  text: string;
  /** How many memories, where not each text becomes one. */
  kept?: number;
}
type Door = (texts: readonly string[], redact: Redact) => Promise<Disk>;

/** No keys: they have many lines, which no sentence has. */
function plant(): Planted[] {
  const random = seededRandom(Number(options.seed));
  return [TUNED, HELD_OUT_SHAPES].flatMap((shapes) =>
    plantInShapes({ ...shapes, keys: {}, tokens: {} }, random, { keys: 0, each: EACH }),
  );
}

/** The files of a database, with its log. */
function readFolder(folder: string): string {
  const names = readdirSync(folder).filter((name) => /\.db(?:-wal)?$/.test(name));
  if (names.length === 0) throw new Error(`no database in ${folder}`);
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

async function onMachine(redact: Redact, act: (machine: Machine) => Promise<number | undefined>): Promise<Disk> {
  const machine = makeMachine({ LTM_REDACT: redact, LTM_EMBEDDER: 'none' });
  try {
    const kept = await act(machine);
    return { text: readFolder(join(machine.home, 'data')), kept };
  } finally {
    machine.remove();
  }
}

async function run(machine: Machine, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await machine.ltm(words);
  if (code !== 0) throw new Error(`ltm ${words.join(' ')} ended with ${code}: ${stdout}${stderr}`);
}

type Post = (path: string, body: object) => Promise<void>;

async function onServer(redact: Redact, act: (post: Post) => Promise<void>): Promise<Disk> {
  const folder = makeServeFolder({ 'token-of-alice': 'alice' });
  const server = await startServe(folder, ['--tokens-file', 'user_tokens.json', '--embedder', 'none'], {
    LTM_REDACT: redact,
    LTM_DB: join(folder, 'memory.db'),
    LTM_WRITES_PER_MINUTE: '0',
  });
  try {
    await act(async (path, body) => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer token-of-alice', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    });
    return { text: readFolder(folder) };
  } finally {
    await server.stop();
    removeFolder(folder);
  }
}

function inBatches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH));
}

const DOORS: Record<string, Door> = {
  'store (REST)': (texts, redact) =>
    onServer(redact, async (post) => {
      for (const batch of inBatches(texts))
        await post('/api/v1/memories/batch', { memories: batch.map((content) => ({ content })) });
    }),
  '`POST /observe`': (texts, redact) =>
    onServer(redact, async (post) => {
      for (const [i, text] of texts.entries())
        await post('/observe', {
          session_id: 's1',
          tool_name: 'Bash',
          tool_input: { command: `cat ${i}.txt` },
          tool_output: text,
        });
    }),
  'session events (REST)': (texts, redact) =>
    onServer(redact, async (post) => {
      const events = texts.map((text, i) => ({
        key: `e${i}`,
        event: 'tool',
        at: Date.UTC(2026, 2, 1) + i * 1000,
        agent: 'claude-code',
        session: 's1',
        project: 'web',
        directory: null,
        tool: { name: 'Bash', input: { command: `cat ${i}.txt` }, output: text },
      }));
      for (const batch of inBatches(events)) await post('/api/v1/session-events', { events: batch });
    }),
  '`ltm ingest`': (texts, redact) =>
    onMachine(redact, async (machine) => {
      const folder = join(machine.project, 'docs');
      mkdirSync(folder);
      for (const [i, text] of texts.entries()) writeFileSync(join(folder, `${i}.md`), `# Note ${i}\n\n${text}\n`);
      await run(machine, 'ingest', folder);
      return undefined;
    }),
  '`ltm harvest`': (texts, redact) =>
    onMachine(redact, async (machine) => {
      const folder = join(machine.home, '.claude', 'projects', machine.project.replaceAll(/[^a-zA-Z0-9]/g, '-'));
      mkdirSync(folder, { recursive: true });
      // Without a number, those would be one that differ in their secret alone.
      const messages = texts.map((text, i) =>
        JSON.stringify({
          type: 'assistant',
          uuid: `m-${i}`,
          sessionId: 's1',
          cwd: machine.project,
          timestamp: new Date(Date.UTC(2026, 2, 1) + i * 1000).toISOString(),
          message: {
            role: 'assistant',
            content: [{ type: 'text', text: text.replace(/^(?:- )?/, `$&For job ${i}: `) }],
          },
        }),
      );
      writeFileSync(join(folder, 's1.jsonl'), `${messages.join('\n')}\n`);
      await run(machine, 'harvest', '--yes', '--min-confidence', '0');
      return (await machine.stored('memory')).length;
    }),
};

const planted = plant();
const percent = (count: number): string => `${((count / planted.length) * 100).toFixed(2)} %`;

async function countOpen(send: Door, texts: readonly string[]): Promise<number> {
  const { text } = await send(texts, 'off');
  return planted.filter((one) => isLeft(one, text)).length;
}

console.log('| door | where | passwords | secrets that their place gives away | in all | arrived |');
console.log('| --- | --- | ---: | ---: | ---: | ---: |');
for (const [door, send] of Object.entries(DOORS).filter(([name]) => name.includes(options.door)))
  for (const [place, put] of Object.entries(PLACES)) {
    const texts = planted.map(({ text }) => put(text));
    const { text: disk, kept } = await send(texts, 'replace');
    const left = planted.filter((one) => isLeft(one, disk));
    const arrived = kept ?? (place === TRIED_OPEN ? await countOpen(send, texts) : null);
    const cells = GROUPS.map((name) => {
      const of = planted.filter(({ group }) => group === name).length;
      return `${left.filter(({ group }) => group === name).length} of ${of}`;
    });
    console.log(
      `| ${[door, place, ...cells, percent(left.length), arrived === null ? '' : percent(arrived)].join(' | ')} |`,
    );
  }
