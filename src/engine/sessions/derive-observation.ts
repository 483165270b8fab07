import type { Json } from '../../model/json.ts';
import type { Observation, ObservationType } from '../../model/observation.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { firstLine } from '../search/text/make-snippet.ts';

/** What rules make of an event. */
export interface ObservationDescription {
  /** At most 80 characters. */
  title: string;
  /** At most 120 characters. */
  summary: string;
  type: ObservationType;
  files: string[];
  concepts: string[];
}

const TITLE_CHARS = 80;
const SUMMARY_CHARS = 120;

/** `earlier`: the latest observations of the same session, oldest first. */
export function describeEvent(event: SessionEvent, _earlier: readonly Observation[]): ObservationDescription {
  const { tool, text = '' } = event;
  if (tool === undefined) {
    const type = event.event === 'prompt' ? 'prompt' : event.event === 'turn' ? 'reply' : 'note';
    return { ...describeLine(text), type, files: [], concepts: [] };
  }
  const { file_path: file, path, command } = tool.input;
  const named = [file, path].filter((one): one is string => typeof one === 'string');
  const line = [tool.name, textOf(command) ?? named[0] ?? ''].join(' ').trim();
  const type = /^(edit|write|multiedit|apply_patch|patch)/i.test(tool.name) ? 'change' : 'note';
  return { ...describeLine(line), type, files: named, concepts: [] };
}

function describeLine(text: string): Pick<ObservationDescription, 'title' | 'summary'> {
  return { title: firstLine(text, TITLE_CHARS), summary: firstLine(text, SUMMARY_CHARS) };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
