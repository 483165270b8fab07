import { authorize } from '../../engine/authorize.ts';
import { SYSTEM_ZONE } from '../../engine/time/time-span.ts';
import type { Memory } from '../../features/memories/memory.ts';
import type { Opened } from '../../mcp/access.ts';
import { argument, type Prompt } from '../../mcp/prompt.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanText, escapeHiddenInJson } from '../../model/hidden-characters.ts';
import { toIso } from '../../model/instant.ts';
import { noticesOfTrust } from '../../verbs/describe-origin.ts';
import { tally } from './routes/count-days.ts';
import { searchInService } from './search-in-service.ts';
import { originLine, quoteText, toServiceMemory } from './service-memory.ts';
import { SERVICE_DEFAULTS } from './service-settings.ts';
import { storeInService } from './store-in-service.ts';

const REVIEWED = 20;
const ANALYSED = 100;
const COMPARED = 1000;
const TOP_TAGS = 10;
/** As the service compares: texts of about the same length that begin alike. */
const SIMILAR_LENGTH = 10;
const SIMILAR_START = 50;
const FORMATS = ['json', 'markdown', 'text'];

type Open = () => Promise<Opened>;

async function contextOf(open: Open, action: 'read' | 'write') {
  const { engine, caller } = await open();
  authorize(caller, action, caller.space);
  return { engine, caller, now: Date.now(), timeZone: caller.timeZone ?? SYSTEM_ZONE };
}

type Context = Awaited<ReturnType<typeof contextOf>>;

function show(memories: readonly Memory[], context: Context): string[] {
  const blocks = memories.flatMap((memory) => [
    `- ${quoteText(memory.content, '  ')}`,
    `  ${toIso(memory.createdAt)} [${memory.tags.map((tag) => cleanText(tag)).join(', ')}] ${memory.contentHash}`,
    ...originLine(memory, context).map((line) => `  ${line}`),
  ]);
  return [...blocks, ...noticesOfTrust(memories)];
}

async function find(context: Context, query: Parameters<typeof searchInService>[1]): Promise<Memory[]> {
  return (await searchInService(context, query)).found.map(({ memory }) => memory);
}

async function newest({ engine, caller }: Context, limit: number): Promise<Memory[]> {
  return (await engine.listMemories(caller, { page: { limit } })).items;
}

const memoryReview: Prompt = {
  name: 'memory_review',
  title: 'Review memories',
  description: 'Review and organize memories from a time period.',
  arguments: [argument('time_period', 'last week, March …', true), argument('focus_area', 'What to look for', false)],
  async write({ time_period: period, focus_area: focus }, open) {
    const context = await contextOf(open, 'read');
    const memories = await find(context, { timeExpr: period, query: focus || undefined, limit: REVIEWED });
    const head = `Review these memories from ${cleanText(period ?? '')}${focus ? `, above all about ${cleanText(focus)}` : ''}: group them, and say what to keep, update or delete. Lines that start with | are stored text.`;
    return [head, '', ...(memories.length === 0 ? ['No memories found.'] : show(memories, context))].join('\n');
  },
};

const memoryAnalysis: Prompt = {
  name: 'memory_analysis',
  title: 'Analyze memories',
  description: 'Analyze patterns and themes in stored memories.',
  arguments: [argument('tags', 'Comma-separated', false), argument('time_range', 'last month …', false)],
  async write({ tags, time_range: range }, open) {
    const context = await contextOf(open, 'read');
    const memories =
      tags || range
        ? await find(context, { tags, timeExpr: range || undefined, limit: ANALYSED })
        : await newest(context, ANALYSED);
    const byTag = tally(memories.flatMap((memory) => memory.tags)).slice(0, TOP_TAGS);
    const line = ([name, count]: [string, number]): string => `- ${cleanText(name)}: ${count}`;
    return [
      `Analyse ${memories.length} memories: themes, patterns, gaps.`,
      '',
      'Top tags:',
      ...byTag.map(line),
      '',
      'Types:',
      ...tally(memories.map(({ type }) => type)).map(line),
    ].join('\n');
  },
};

const knowledgeExport: Prompt = {
  name: 'knowledge_export',
  title: 'Export knowledge',
  description: 'Export memories as json, markdown or text.',
  arguments: [
    argument('format', 'json, markdown or text', true),
    argument('filter', 'Tags with commas, or words to search for', false),
  ],
  async write({ format, filter }, open) {
    if (!FORMATS.includes(format ?? ''))
      throw new EngineError('invalid_input', `format must be one of ${FORMATS.join(', ')}.`);
    const context = await contextOf(open, 'read');
    const memories = !filter
      ? await newest(context, ANALYSED)
      : await find(
          context,
          filter.includes(',') ? { tags: filter, limit: ANALYSED } : { query: filter, limit: ANALYSED },
        );
    if (format === 'json')
      return escapeHiddenInJson(
        JSON.stringify({
          memories: memories.map((memory) => toServiceMemory(memory, context)),
          count: memories.length,
        }),
      );
    const title = format === 'markdown' ? '# Knowledge Export' : 'Knowledge Export';
    return [title, '', `${memories.length} memories`, '', ...show(memories, context)].join('\n');
  },
};

const memoryCleanup: Prompt = {
  name: 'memory_cleanup',
  title: 'Clean up memories',
  description: 'Find old or nearly equal memories.',
  arguments: [
    argument('older_than', 'A time such as 2025-01-01 or last year', false),
    argument('similarity_threshold', '0 to 1', false),
  ],
  async write({ older_than: older }, open) {
    const context = await contextOf(open, 'read');
    const memories = await newest(context, COMPARED);
    const near = countNear(memories);
    const stale = older ? await find(context, { before: older, limit: ANALYSED }) : [];
    return [
      `${memories.length} memories were compared: ${near} begin like another of about the same length.`,
      ...(older ? [`${stale.length} are older than ${cleanText(older)} (100 at most are counted).`] : []),
      'Look at them with memory_search, merge or delete what is of no more use, and run memory_cleanup for true duplicates.',
      ...show(stale.slice(0, REVIEWED), context),
    ].join('\n');
  },
};

function countNear(memories: readonly Memory[]): number {
  const byStart = Map.groupBy(memories, ({ content }) => content.slice(0, SIMILAR_START).toLowerCase());
  let near = 0;
  for (const alike of byStart.values()) {
    const lengths = alike.map(({ content }) => content.length).sort((a, b) => a - b);
    near += lengths.filter((length, at) => at > 0 && length - lengths[at - 1]! <= SIMILAR_LENGTH).length;
  }
  return near;
}

const learningSession: Prompt = {
  name: 'learning_session',
  title: 'Learning session',
  description: 'Store what was learned about a topic.',
  arguments: [
    argument('topic', 'What it is about', true),
    argument('key_points', 'Comma-separated', true),
    argument('questions', 'Comma-separated', false),
  ],
  async write({ topic = '', key_points: points = '', questions = '' }, open) {
    const context = await contextOf(open, 'write');
    const items = (text: string): string[] =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => `- ${item}`);
    const asked = items(questions);
    const content = [
      `# Learning Session: ${topic}`,
      '',
      '## Key Points',
      ...items(points),
      ...(asked.length === 0 ? [] : ['', '## Questions', ...asked]),
    ].join('\n');
    const tags = ['learning', topic.trim().toLowerCase().replaceAll(/\s+/g, '_')];
    const stored = await storeInService(context, SERVICE_DEFAULTS, { content, tags, type: 'learning' });
    const outcome = stored.outcome === 'stored' ? `Stored as ${stored.memory.contentHash}.` : stored.reason;
    return [`Learning session about ${cleanText(topic)}. ${outcome}`, '', quoteText(content, '')].join('\n');
  },
};

export const SERVICE_PROMPTS: readonly Prompt[] = [
  memoryReview,
  memoryAnalysis,
  knowledgeExport,
  memoryCleanup,
  learningSession,
];
