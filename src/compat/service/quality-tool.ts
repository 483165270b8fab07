import type { MaintenanceReport } from '../../features/consolidation/insight.ts';
import type { QualityAnalysis, QualityReport, Rating } from '../../features/quality/quality.ts';
import { EngineError } from '../../model/errors.ts';
import { toIso } from '../../model/instant.ts';
import { choice, flag, label, text } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, linesAnswer, type ToolContext } from './define-service-tool.ts';

const ACTIONS = ['rate', 'get', 'analyze', 'maintain', 'maintain_status'] as const;

interface QualityArguments {
  action: (typeof ACTIONS)[number];
  content_hash?: string;
  rating?: string;
  feedback?: string;
  min_quality?: number;
  max_quality?: number;
  dry_run?: boolean;
}

export const memoryQuality = defineServiceTool<QualityArguments>({
  name: 'memory_quality',
  title: 'Memory Quality',
  text: 'Rate a memory, see its quality (get), how quality is spread (analyze), or look after all memories (maintain, maintain_status).',
  action: 'read',
  writes: true,
  listed: {
    action: { ...choice(ACTIONS), isRequired: true },
    content_hash: label('rate, get'),
    rating: choice(['-1', '0', '1']),
    feedback: text(undefined, { max: 1000 }),
    min_quality: { type: 'number', min: 0, max: 1 },
    max_quality: { type: 'number', min: 0, max: 1 },
    dry_run: flag(),
  },
  defaults: { min_quality: 0, max_quality: 1, dry_run: true },
  output: { message: 'string', quality_score: 'number' },
  async run(context, args) {
    if (args.action === 'analyze') return analyze(context, args);
    if (args.action === 'maintain') {
      const report = await context.engine.maintain(context.caller, { dryRun: args.dry_run ?? true });
      return documentAnswer(describeMaintenance(report));
    }
    if (args.action === 'maintain_status') {
      const report = await context.engine.readMaintenance(context.caller);
      return documentAnswer(report === null ? { status: 'never_run' } : describeMaintenance(report));
    }
    const hash = args.content_hash;
    if (hash === undefined)
      throw new EngineError('invalid_input', 'content_hash is required.', { details: { field: 'content_hash' } });
    if (args.action === 'get') return documentAnswer(await describeQuality(context, hash));
    if (args.rating === undefined)
      throw new EngineError('invalid_input', 'rating is required: -1, 0 or 1.', { details: { field: 'rating' } });
    const { previous, quality, memory } = await rate(context, { hash, rating: args.rating, feedback: args.feedback });
    const shown = `${previous.toFixed(3)} → ${quality.toFixed(3)}`;
    return linesAnswer([`Memory rated successfully. Quality score: ${shown}`, `Hash: ${memory.contentHash}`], {
      content_hash: memory.contentHash,
      old_quality_score: previous,
      new_quality_score: quality,
    });
  },
});

function describeMaintenance({ dryRun, startedAt, finishedAt, steps, errors }: MaintenanceReport) {
  return {
    action: 'maintain',
    dry_run: dryRun,
    started_at: toIso(startedAt),
    config: {},
    steps: Object.fromEntries(
      steps.map(({ step, counts, run, notice }) => [
        step,
        { ...counts, ...(run !== null && { run }), ...(notice !== null && { notice }) },
      ]),
    ),
    errors,
    elapsed_seconds: (finishedAt - startedAt) / 1000,
    success: errors.length === 0,
  };
}

interface Rated {
  hash: string;
  rating: string | number;
  feedback?: string | undefined;
}

export function rate({ engine, caller }: ToolContext, { hash, rating, feedback }: Rated) {
  const said = feedback === undefined || feedback === '' ? {} : { feedback };
  return engine.rateMemory(caller, { ref: hash, rating: Number(rating) as Rating, ...said });
}

/** In the service's words, with the facts and the formula that the number follows from. */
export async function describeQuality({ engine, caller }: ToolContext, hash: string): Promise<Record<string, unknown>> {
  const report = await engine.explainQuality(caller, hash);
  const { events } = report.facts;
  const rated = events.findLast((event) => event.how === 'rated');
  const scored = events.flatMap((event) => (event.how === 'scored' ? event : []));
  const lastReadAt = report.usage.lastReadAt;
  return {
    content_hash: report.contentHash,
    quality_score: report.quality,
    quality_provider: providerOf(report),
    access_count: report.usage.reads,
    last_accessed_at: lastReadAt === null ? null : toIso(lastReadAt),
    ai_scores: scored
      .slice(-10)
      .map(({ value, model, at }) => ({ score: value, provider: model, timestamp: toIso(at) })),
    user_rating: rated?.how === 'rated' ? rated.rating : null,
    user_feedback: (rated?.how === 'rated' ? rated.feedback : undefined) ?? null,
    quality_components: { implicit: report.usage.score, relevance: report.relevance, formula: report.formula },
  };
}

const PROVIDERS = { rated: 'user', scored: 'ai', used: 'implicit', stated: 'stated' } as const;

function providerOf({ facts }: Pick<QualityReport, 'facts'>): string {
  const last = facts.events.at(-1);
  if (last === undefined) return 'default';
  return last.how === 'scored' ? last.model : PROVIDERS[last.how];
}

async function analyze(context: ToolContext, { min_quality: min = 0, max_quality: max = 1 }: QualityArguments) {
  const analysis = await context.engine.analyzeQuality(context.caller, { min, max });
  const { bands } = analysis;
  const line = ({ contentHash, quality }: QualityAnalysis['best'][number]): string =>
    `- ${quality.toFixed(3)} ${contentHash}`;
  return linesAnswer(
    [
      `Quality of ${analysis.total} memories, average ${analysis.average?.toFixed(3) ?? 'unknown'}`,
      `High (≥0.7): ${bands.high}, medium (0.5–0.7): ${bands.medium}, low (<0.5): ${bands.low}`,
      `Providers: ${Object.entries(providersOf(analysis))
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
      ...(analysis.best.length === 0 ? [] : ['Top:', ...analysis.best.map(line)]),
      ...(analysis.worst.length === 0 ? [] : ['Bottom:', ...analysis.worst.map(line)]),
    ],
    { total_memories: analysis.total, average_score: analysis.average, ...bands },
  );
}

export function providersOf({ origins }: QualityAnalysis): Record<string, number> {
  return Object.fromEntries(Object.entries(PROVIDERS).map(([ours, theirs]) => [theirs, origins[ours as 'rated']]));
}
