import type { Engine } from '../../src/engine/engine.ts';
import { seededRandom, shuffled } from '../../src/features/evaluation/seeded-random.ts';
import { toObservation } from '../../src/features/sessions/observation.ts';
import type { Caller } from '../../src/model/caller.ts';
import { estimateTokens } from '../../src/model/estimate-tokens.ts';
import { playStory, SESSION_MS } from './play-stories.ts';
import type { Story } from './story.ts';

export interface Probed {
  way: string;
  sort: string;
  isHeld: boolean;
  tokens: number;
}

const PROJECT = 'shop';
const ORDERS = 6;
const NO_HURRY = { timeoutMs: 10_000 };
const LASTS: readonly (readonly [way: string, count: number, maxTokens: number])[] = [
  ['last 10 observations', 10, Number.POSITIVE_INFINITY],
  ['last 50 observations', 50, Number.POSITIVE_INFINITY],
  ['last observations in 500 tokens', 1000, 500],
];

export interface StoryTools {
  engine: Engine;
  newCaller(): Caller;
  /** For people who look at what was missed. */
  onMiss?: (way: string, prompt: string, text: string) => void;
}

/** Every story in several orders, one session each; after each session what the next needs to go on, at the end what prompts about all of them need. */
export async function measureStories(stories: readonly Story[], seed: number, tools: StoryTools): Promise<Probed[]> {
  const probed: Probed[] = [];
  for (let order = 0; order < ORDERS; order++) {
    const random = seededRandom(seed + order);
    const caller = tools.newCaller();
    const now = Date.now() - (stories.length + 1) * SESSION_MS;
    const told = shuffled(stories, random);
    for (const [i, story] of told.entries()) {
      await tools.engine.recordEvents(
        caller,
        playStory(story, { session: `o${order}s${i}`, startedAt: now + i * SESSION_MS, random }),
      );
      if (story.resume !== undefined)
        await probe(tools, caller, { prompt: null, needs: story.resume, sort: 'resume', id: `r${i}`, probed });
    }
    for (const [i, story] of told.entries())
      for (const [j, { prompt, needs, sort }] of story.probes.entries())
        await probe(tools, caller, { prompt, needs, sort, id: `p${i}.${j}`, probed });
    for (const [i, prompt] of UNRELATED.entries()) await probeUnrelated(tools, caller, { prompt, id: `u${i}`, probed });
  }
  return probed;
}

export const UNRELATED_SORT = 'unrelated';

/** Prompts that nothing in any story has to do with: whatever is given for them is a waste. */
const UNRELATED: readonly string[] = [
  'Write a haiku about autumn leaves.',
  'How do I center a div with flexbox?',
  'Explain monads to a ten year old.',
  'Generate a fake address in Norway for a test fixture.',
  'What is the difference between TCP and UDP?',
  'Rename the variable foo to bar in this snippet.',
  'Convert 37 degrees Celsius to Fahrenheit.',
  'Wie spät ist es in Tokio?',
];

async function probeUnrelated(
  { engine }: StoryTools,
  caller: Caller,
  { prompt, id, probed }: Pick<Probe, 'id' | 'probed'> & { prompt: string },
): Promise<void> {
  const session = `unrelated-${id}`;
  await engine.getContext(caller, { project: PROJECT, session, event: 'start', ...NO_HURRY });
  const { context, tokens } = await engine.getContext(caller, {
    project: PROJECT,
    session,
    event: 'prompt',
    prompt,
    ...NO_HURRY,
  });
  probed.push({ way: 'the block', sort: UNRELATED_SORT, isHeld: context === null, tokens });
}

interface Probe {
  prompt: string | null;
  needs: readonly RegExp[];
  sort: string;
  id: string;
  probed: Probed[];
}

async function probe(
  { engine, onMiss }: StoryTools,
  caller: Caller,
  { prompt, needs, sort, id, probed }: Probe,
): Promise<void> {
  const note = (way: string, text: string, tokens: number) => {
    const isHeld = needs.every((need) => need.test(text));
    if (!isHeld) onMiss?.(way, prompt ?? '(start)', text);
    probed.push({ way, sort, isHeld, tokens });
  };
  const session = `probe-${id}`;
  const start = await engine.getContext(caller, { project: PROJECT, session, event: 'start', ...NO_HURRY });
  const after =
    prompt === null
      ? null
      : await engine.getContext(caller, { project: PROJECT, session, event: 'prompt', prompt, ...NO_HURRY });
  note('the block', `${start.context ?? ''}\n${after?.context ?? ''}`, start.tokens + (after?.tokens ?? 0));
  for (const [way, count, maxTokens] of LASTS) {
    const { text, tokens } = await listLast(engine, caller, { count, maxTokens });
    note(way, text, tokens);
  }
}

/** A line each, as systems show them that give the latest ones. */
export async function listLast(
  engine: Engine,
  caller: Caller,
  { count, maxTokens, project = PROJECT }: { count: number; maxTokens: number; project?: string },
): Promise<{ text: string; tokens: number; ids: string[] }> {
  const limit = Math.min(count, 100);
  const { items } = await engine.listRecords(caller, { kind: 'observation', filter: { project }, page: { limit } });
  const lines: string[] = [];
  const ids: string[] = [];
  let tokens = 0;
  for (const { number, at, tool, summary, files, id, type } of items.map(toObservation)) {
    const line =
      `[${number}] ${new Date(at).toISOString().slice(0, 10)} ${tool ?? type}: ${summary.slice(0, 120)} ${files.join(', ')}`.trim();
    const cost = estimateTokens(line);
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    lines.push(line);
    ids.push(id);
  }
  return { text: lines.join('\n'), tokens, ids };
}
