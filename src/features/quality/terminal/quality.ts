import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { dayOf, toIso } from '../../../model/instant.ts';
import type { QualityAnalysis, QualityEvent, QualityReport } from '../quality.ts';
import { analyzeQuality } from '../verbs/explain-quality.ts';
import { rateMemory } from '../verbs/rate-memory.ts';

const RATINGS = ['good', 'neutral', 'bad', '1', '0', '-1'];

export async function rate({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const [ref, rating] = args.words;
  if (ref === undefined || rating === undefined || !RATINGS.includes(rating))
    throw new UsageError('Say what to rate, and how: ltm rate REF good|neutral|bad.');
  const { feedback } = readFlags<{ feedback?: string }>(rateMemory, args);
  const outcome = await (await client()).rateMemory({ ref, rating, ...(feedback !== undefined && { feedback }) });
  answer(outcome, () =>
    terminal.print(`Rated ${outcome.memory.id}: quality ${shown(outcome.previous)} → ${shown(outcome.quality)}.`),
  );
}

export async function quality(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const [ref] = args.words;
  const client = await context.client();
  if (ref === undefined) {
    if (args.isOn('evaluate')) throw new UsageError('--evaluate needs a memory: ltm quality REF --evaluate.');
    const analysis = await client.analyzeQuality(readFlags(analyzeQuality, args));
    return answer(analysis, () => showAnalysis(analysis, terminal));
  }
  if (args.isOn('evaluate')) {
    const outcome = await client.evaluateQuality({ ref });
    return answer(outcome, () => {
      terminal.print(`Quality ${shown(outcome.previous)} → ${shown(outcome.quality)}, by ${safeLine(outcome.by)}.`);
      if (outcome.notice !== null) terminal.note(safeLine(outcome.notice));
    });
  }
  const report = await client.explainQuality({ ref });
  answer(report, () => showReport(report, terminal));
}

function showAnalysis({ total, average, bands, best, worst }: QualityAnalysis, { print, paint }: Terminal): void {
  print(
    `${showCount(total, 'memory', 'memories')}${average === null ? '' : `, quality ${shown(average)} on average`}.`,
  );
  print(`From 0.7: ${bands.high}. From 0.5: ${bands.medium}. Below: ${bands.low}.`);
  for (const [name, list] of [
    ['Best', best],
    ['Worst', worst],
  ] as const) {
    print(`${name}:`);
    for (const { id, title, quality: value } of list)
      print(`  ${shown(value)}  ${paint('cyan', id)}  ${safeLine(title)}`);
  }
}

function showReport(report: QualityReport, { print, paint, note }: Terminal): void {
  const { id, title, facts, usage, relevance: r, formula } = report;
  print(`${paint('cyan', id)}  ${safeLine(title)}`);
  print(`Quality ${shown(report.quality)}: from ${shown(facts.from)}${facts.events.map(showEvent).join('')}.`);
  const last = usage.lastReadAt === null ? 'never' : toIso(usage.lastReadAt);
  print(`Reads: ${usage.reads}, last ${last}; usage ${shown(usage.score)}.`);
  print(
    `Relevance ${shown(r.value)} = ${shown(r.base)} (${safeLine(r.baseFrom)}) × ${shown(r.decayFactor)} (${shown(r.ageDays)} days old, kept ${r.retentionDays}) × ${shown(r.connectionBoost)} (${showCount(r.connections, 'connection')}) × ${r.accessBoost} (reads) × ${shown(r.qualityBoost)} (quality).`,
  );
  if (r.protectedBy !== null)
    print(`Protected by ${safeLine(r.protectedBy)}: never forgotten, relevance at least 0.5.`);
  for (const line of formula) note(line);
}

function showEvent(event: QualityEvent): string {
  const day = dayOf(event.at);
  switch (event.how) {
    case 'stated':
      return `, stated as ${shown(event.value)} on ${day}`;
    case 'rated':
      return `, rated ${event.rating} by ${safeLine(event.by)} on ${day}`;
    case 'used':
      return `, ${event.reads} reads counted on ${day}`;
    case 'scored':
      return `, scored ${shown(event.value)} by ${safeLine(event.model)} on ${day}`;
  }
}

function shown(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
