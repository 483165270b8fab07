import type { Engine } from '../../engine/engine.ts';
import { defineTool } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { toWire } from '../../model/wire.ts';
import { choice, type Fields, flag, text } from '../../verbs/field.ts';
import { NAMED, requireRef } from '../memories/verbs/name-memories.ts';
import { evaluateQuality, rateMemory } from './verbs/rate-memory.ts';

interface QualityArguments {
  action: string;
  rating?: string;
  feedback?: string;
  min_quality?: number;
  max_quality?: number;
  dry_run?: boolean;
}

/** With the feature that looks after memories as they age; absent without it. */
interface Upkeep extends Pick<Engine, 'analyzeQuality'> {
  maintain?(caller: Caller, options: { dryRun?: boolean | undefined }): Promise<{ dryRun: boolean }>;
  readMaintenance?(caller: Caller): Promise<object | null>;
  listInsights?(caller: Caller): Promise<readonly object[]>;
  acknowledgeInsight?(caller: Caller, ref: string): Promise<object>;
}

const ACTIONS = ['rate', 'get', 'evaluate', 'analyze', 'maintain', 'maintain_status', 'insights', 'acknowledge'];

const LISTED: Fields = {
  action: { ...choice(ACTIONS), isRequired: true },
  id: { ...NAMED.id!, about: 'rate, get, evaluate, acknowledge: which' },
  rating: choice(['good', 'neutral', 'bad', '1', '0', '-1'], 'rate'),
  feedback: text('rate: why', { max: 1000 }),
  dry_run: flag('maintain: default true, only say what would be done'),
};

/** What a memory is worth, and why. */
const qualityTool = defineTool<QualityArguments>({
  name: 'memory_quality',
  title: 'Quality of memories',
  text: 'Rate a memory, see why its quality is what it is (get), work it out anew (evaluate), or see how quality is spread (analyze). maintain looks for duplicates, stale memories and insights; insights shows patterns, trends and gaps until you acknowledge them.',
  action: 'read',
  writes: true,
  listed: LISTED,
  unlisted: {
    content_hash: NAMED.content_hash!,
    min_quality: { type: 'number', min: 0, max: 1 },
    max_quality: { type: 'number', min: 0, max: 1 },
  },
  output: { message: 'string', quality: 'number' },
  async run(context, { action, min_quality: min, max_quality: max, rating, feedback, dry_run: dryRun, ...named }) {
    const { engine, caller } = context;
    const { maintain = refuse, readMaintenance = refuse, ...upkeep }: Upkeep = engine;
    const { listInsights = refuse, acknowledgeInsight = refuse } = upkeep;
    if (action === 'analyze') {
      const analysis = await engine.analyzeQuality(caller, {
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
      });
      return answer(`${analysis.total} memories, average quality ${analysis.average ?? 'unknown'}.`, analysis);
    }
    if (action === 'maintain') {
      const report = await maintain(caller, { dryRun });
      return answer(report.dryRun ? 'Nothing was changed.' : 'Done; each run can be undone.', report);
    }
    if (action === 'maintain_status') {
      const report = await readMaintenance(caller);
      return answer(report === null ? 'It was never applied.' : 'The last one that was applied.', { report });
    }
    if (action === 'insights') {
      const insights = await listInsights(caller);
      return answer(`${insights.length} insights.`, { insights });
    }
    const { ref } = requireRef(named) as { ref: string };
    if (action === 'acknowledge') {
      const insight = await acknowledgeInsight(caller, ref);
      return answer('It is not told again.', { insight });
    }
    if (action === 'get') {
      const report = await engine.explainQuality(caller, ref);
      return answer(`Quality ${report.quality}, relevance ${report.relevance.value}.`, report);
    }
    if (action === 'evaluate') {
      const { memory, ...rest } = await evaluateQuality.run(context, { ref });
      return answer(`Quality ${rest.previous} → ${rest.quality}, by ${rest.by}.`, { id: memory.id, ...rest });
    }
    if (rating === undefined)
      throw new EngineError('invalid_input', 'rating is required: good, neutral or bad.', {
        details: { field: 'rating' },
      });
    const said = feedback === undefined || feedback === '' ? {} : { feedback };
    const { memory, previous, quality } = await rateMemory.run(context, { ref, rating, ...said });
    return answer(`Quality ${previous} → ${quality}.`, { id: memory.id, previous, quality });
  },
});

function refuse(): never {
  throw new EngineError('invalid_input', 'This program does not maintain memories.');
}

function answer(message: string, out: object) {
  return { structured: { message, ...(toWire(out) as Record<string, unknown>) } };
}

export const listTools = (): readonly ToolGroup[] => [{ family: 'upkeep', tools: [qualityTool] }];
