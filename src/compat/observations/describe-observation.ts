import type { Observation } from '../../features/sessions/observation.ts';
import { nameTool } from '../../features/sessions/verbs/observation-rows.ts';
import { cleanText, unifyLineBreaks } from '../../model/hidden-characters.ts';
import { dayOf, toIso } from '../../model/instant.ts';
import { describeOrigin, type Reader } from '../../verbs/describe-origin.ts';

const SUMMARY_CHARS = 120;
export const NO_SUMMARY = '(no summary)';

/** What stands in a list: enough to decide which ones to ask for. */
export function describeListed(observation: Observation, reader: Reader): Record<string, unknown> {
  const { number, id, at, title, files, project, session, type } = observation;
  return {
    id: number,
    record_id: id,
    date: dayOf(observation.at),
    at: toIso(at),
    tool: nameTool(observation),
    type,
    title,
    summary: summaryOf(observation),
    files,
    project,
    session_id: session,
    ...describeOrigin(observation, reader),
  };
}

export function describeWhole(observation: Observation, reader: Reader): Record<string, unknown> {
  const { concepts, input, output, text, prompt, failed } = observation;
  return { ...describeListed(observation, reader), concepts, prompt_number: prompt, failed, input, output, text };
}

export function minuteOf({ at }: Pick<Observation, 'at'>): string {
  return toIso(at).slice(0, 16).replace('T', ' ');
}

/** One line; '' where there is none. */
export function summaryOf({ summary }: Pick<Observation, 'summary'>): string {
  return oneLine(summary).slice(0, SUMMARY_CHARS);
}

/** What came from outside says so wherever a line of it is shown. */
export function markedSummary(observation: Observation, reader: Reader): string {
  const summary = summaryOf(observation);
  if (observation.trust !== 'untrusted') return summary;
  return `[trust: untrusted, ${oneLine(describeOrigin(observation, reader).source)}] ${summary}`.trimEnd();
}

export function toolOf(observation: Pick<Observation, 'tool' | 'type'>): string {
  return oneLine(nameTool(observation));
}

export function filesOf({ files }: Pick<Observation, 'files'>): string {
  return files.map(oneLine).join(', ');
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** The beginning of a text whose further lines cannot pass for ours. */
export function quoteStart(text: string, maxChars: number): string {
  return cleanText(unifyLineBreaks(text)).slice(0, maxChars).toWellFormed().replaceAll('\n', '\n  | ');
}
