import type { SessionEvent, ToolUse } from '../../model/session-event.ts';
import { describeCommand } from './describe-command.ts';
import { describeEdit } from './describe-edit.ts';
import {
  baseName,
  type Description,
  distinct,
  type Earlier,
  MOST_CONCEPTS,
  SUMMARY_CHARS,
  showPath,
  showPaths,
  TITLE_CHARS,
} from './description.ts';
import { findError } from './find-error.ts';
import { nameTopics } from './name-topics.ts';
import { nameSome, oneLine, plainLines } from './plain-output.ts';
import { readTool, type ToolCall } from './read-tool.ts';

/**
 * What an event comes down to, by rules alone: what changed in which file, which command with which outcome, what was said. Made of what went in
 * and of outcomes (exit, names of failing tests, lines of errors), never of the prose that a tool brought in from outside.
 * `earlier`: what came before in the session, oldest first.
 */
export function describeEvent(event: SessionEvent, earlier: readonly Earlier[] = []): Description {
  const { tool, text = '', directory } = event;
  if (tool !== undefined) return describeTool(tool, directory, earlier);
  const type = event.event === 'prompt' ? 'prompt' : event.event === 'turn' ? 'reply' : 'note';
  const said = text.trim() === '' ? describeMoment(event) : text;
  return {
    title: oneLine(firstSentence(said), TITLE_CHARS),
    summary: oneLine(said, SUMMARY_CHARS),
    type,
    files: distinct(findPaths(text), MOST_CONCEPTS),
    concepts: nameTopics(text, MOST_CONCEPTS),
    failed: false,
    act: 'said',
    command: null,
    problem: null,
  };
}

function describeMoment({ event, reason }: SessionEvent): string {
  const words = { start: 'Session started', end: 'Session ended', compact: 'Context compacted', turn: 'Turn ended' };
  const what = words[event as keyof typeof words] ?? 'Empty prompt';
  return reason === undefined ? what : `${what} (${reason})`;
}

function describeTool(tool: ToolUse, directory: string | null, earlier: readonly Earlier[]): Description {
  const call = readTool(tool);
  if (call.what === 'command') return describeCommand({ ...call, ...tool, command: call.command }, earlier);
  const described =
    call.what === 'edit' ? describeEdit(call.edits, tool.output, directory) : describeOther(call, directory);
  return tool.failed === true ? asFailed(described, tool) : described;
}

/** An edit that did not apply changed nothing. */
function asFailed(described: Description, { name, output }: ToolUse): Description {
  const lines = plainLines(output);
  const problem = oneLine(findError(lines)?.text ?? lines.find((line) => line.trim() !== '') ?? 'it failed', 160);
  const what = described.files[0] === undefined ? name : `${name} ${described.files[0]}`;
  return {
    ...described,
    title: oneLine(`${what} failed: ${problem}`, TITLE_CHARS),
    summary: oneLine(`${what} failed: ${problem}`, SUMMARY_CHARS),
    type: 'discovery',
    failed: true,
    problem,
  };
}

type OtherCall = Exclude<ToolCall, { what: 'edit' | 'command' }>;

function describeOther(call: OtherCall, directory: string | null): Description {
  const files =
    call.what === 'read'
      ? showPaths(call.paths, directory)
      : call.what === 'look'
        ? placeOf(call.place, directory)
        : [];
  const summary = summarise(call, files, directory);
  return {
    title: oneLine(summary, TITLE_CHARS),
    summary: oneLine(summary, SUMMARY_CHARS),
    type: call.what === 'plan' ? 'decision' : call.what === 'task' || call.what === 'other' ? 'note' : 'discovery',
    files,
    concepts: conceptsOf(call, files),
    failed: false,
    act: 'look',
    command: null,
    problem: null,
  };
}

function summarise(call: OtherCall, files: readonly string[], directory: string | null): string {
  switch (call.what) {
    case 'read':
      return `Read ${nameSome(files, 3)}`;
    case 'look': {
      const place = call.place === '' ? '' : ` in ${showPath(call.place, directory)}`;
      return call.pattern === ''
        ? `Listed ${call.place || 'files'}`
        : `Searched for "${oneLine(call.pattern, 80)}"${place}`;
    }
    case 'web':
      return call.url === '' ? `Searched the web for "${oneLine(call.query, 100)}"` : `Fetched ${showUrl(call.url)}`;
    case 'task':
      return `Delegated: ${call.about}`;
    case 'plan':
      return `Plan: ${nameSome(call.steps, 5)}`;
    case 'foreign':
      return `Called ${call.name} of ${call.server}${call.about === '' ? '' : `: ${call.about}`}`;
    default:
      return `Used ${call.name}${call.about === '' ? '' : `: ${call.about}`}`;
  }
}

function conceptsOf(call: OtherCall, files: readonly string[]): string[] {
  const words = {
    read: '',
    look: '',
    web: 'url' in call ? call.query : '',
    plan: '',
    task: 'about' in call ? call.about : '',
    foreign: '',
    other: '',
  }[call.what];
  const stems = files.map((path) => baseName(path).replace(/\.\w+$/, ''));
  const host = call.what === 'web' ? (URL.parse(call.url)?.hostname ?? '') : call.what === 'foreign' ? call.server : '';
  return distinct([host, ...stems, ...nameTopics(words, MOST_CONCEPTS)], MOST_CONCEPTS);
}

function placeOf(place: string, directory: string | null): string[] {
  return place === '' || /[*?{]/.test(place) ? [] : showPaths([place], directory);
}

/** Without what is asked of it, which may hold anything. */
function showUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? oneLine(url, 100) : oneLine(`${parsed.host}${parsed.pathname}`, 120);
}

/** A title is shorter than what is read for it. */
const READ_CHARS = 4_000;

function firstSentence(text: string): string {
  const line = text.trimStart().slice(0, READ_CHARS).split('\n')[0]!.trimEnd();
  return /^.{12,}?[.!?。！？](?=\s|$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u.exec(line)?.[0] ?? line;
}

const PATHS =
  /(?:^|[\s`'"(])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|h|sql|md|json|ya?ml|toml|sh|css|html|vue|svelte))(?=[\s`'"),:;.!?]|$)/g;

function findPaths(text: string): string[] {
  return [...text.slice(0, 20_000).matchAll(PATHS)].map((match) => match[1]!);
}
