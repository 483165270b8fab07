import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { projectIn } from '../../../client/project-folder.ts';
import type { SessionEvent, ToolUse } from '../../../model/session-event.ts';
import type { CustomPattern } from '../../../privacy/custom-patterns.ts';
import { compileDenied, findDeniedPaths, type Surroundings } from '../../../privacy/denied-paths.ts';
import type { ScreenedTexts } from '../../../privacy/redact-texts.ts';
import { MAX_OUTPUT, screenInput, screenText } from '../../../privacy/screen.ts';
import { describeOutput } from './describe-output.ts';
import { hashText, makeKey } from './event-key.ts';
import { isExcludedTool, isOwnTool, matchesName } from './own-tools.ts';
import type { Payload } from './read-payload.ts';

/** What the person has said about what may be captured. */
export interface CaptureRules {
  excludeTools: readonly string[];
  excludePaths: readonly string[];
  excludeProjects: readonly string[];
  patterns: readonly CustomPattern[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Why nothing of an event is written down. */
export type LeftOut = 'own-tool' | 'excluded-tool' | 'excluded-project' | 'skip' | 'private';

export const DENIED_OUTPUT = '[EXCLUDED: path matched denylist]';
/** In a prompt: nothing of this turn is kept; or all of it, in an excluded project too. */
const SKIP = /(?:^|\s)#skip(?![\w-])/i;
const REMEMBER = /(?:^|\s)#remember(?![\w-])/i;
/** With the sign that it was cut, no more than engines take. */
const MAX_LABEL = 160;
const MAX_PATH = 1024;

interface Around {
  variables: Variables;
  now: number;
  /** Where it is noted what was looked at, for who records the event in this process. */
  screened?: ScreenedTexts;
}

/** The event as it may be written down, or why not. Nothing in it has not been screened. */
export function makeEvent(
  payload: Payload,
  rules: CaptureRules,
  { variables, now, screened: seen }: Around,
): SessionEvent | LeftOut {
  const { event, agent, directory } = payload;
  const project = projectOf(directory);
  const isRemembered = event === 'prompt' && REMEMBER.test(payload.text ?? '');
  if (event === 'prompt' && SKIP.test(payload.text ?? '')) return 'skip';
  if (project !== null && !isRemembered && isExcludedProject(project, directory, rules)) return 'excluded-project';
  const { tool } = payload;
  if (tool !== null && isOwnTool(tool.name, tool.server)) return 'own-tool';
  if (tool !== null && isExcludedTool(tool.name, rules.excludeTools)) return 'excluded-tool';
  const names = new Set<string>(payload.isCut === true ? ['incomplete'] : []);
  const screen: Screen = (text, max, isResult = false) => {
    const screened = screenText(text, { patterns: rules.patterns, max, isResult, screened: seen });
    for (const name of screened.names) names.add(name);
    return screened.value;
  };
  const text = payload.text === null ? null : screen(payload.text, MAX_OUTPUT).trim();
  if (event === 'prompt' && !text) return 'private';
  const used = tool === null ? null : screenTool(payload, rules, { variables, screen, names, seen });
  const said = [text ?? '', ...(used === null ? [] : [used.name, JSON.stringify(used.input), used.output])];
  if (used !== null && names.has('private') && isBlank(used)) return 'private';
  const { useId } = payload;
  const label = labelWith(screen, [project, directory, payload.reason, payload.transcript, payload.session, useId]);
  const named = payload.session ?? nameSession(payload, now);
  const session = label(named)!;
  // Two that are replaced by the same words stay two.
  const idOf = (id: string, shown: string | null): string => (shown === id ? id : hashText(id));
  const reason = isRemembered ? 'remember' : label(payload.reason);
  const transcript = label(payload.transcript, MAX_PATH);
  return {
    key: makeKey(
      { ...payload, session: idOf(named, session), useId: useId === null ? null : idOf(useId, label(useId)) },
      [...said, payload.reason ?? ''],
    ),
    event,
    at: payload.at ?? now,
    agent,
    session,
    project: label(project),
    directory: label(directory, MAX_PATH),
    ...(text !== null && text !== '' && { text }),
    ...(used !== null && { tool: used }),
    ...(transcript !== null && { transcript }),
    ...(reason !== null && { reason }),
    ...(names.size > 0 && { screened: [...names] }),
  };
}

type Screen = (text: string, max: number, isResult?: boolean) => string;

/** Labels are short and seldom hold a secret: all of them are looked at in one text, and one by one only where something is found. */
function labelWith(
  screen: Screen,
  labels: readonly (string | null)[],
): (value: string | null, max?: number) => string | null {
  const together = labels.filter((one) => one !== null).join('\n');
  const isPlain = together.length < MAX_OUTPUT && screen(together, MAX_OUTPUT) === together;
  return (value, max = MAX_LABEL) => (value === null || (isPlain && value.length <= max) ? value : screen(value, max));
}

/** Private from its first to its last word. */
function isBlank({ input, output }: ToolUse): boolean {
  return output === '' && Object.values(input).every((value) => typeof value === 'string' && value.trim() === '');
}

/** Agents that name no session: one a day for each folder. */
function nameSession({ agent, directory }: Payload, now: number): string {
  return `${agent}-${new Date(now).toISOString().slice(0, 10)}-${hashText(directory ?? '').slice(0, 8)}`;
}

function projectOf(directory: string | null): string | null {
  return directory === null ? null : projectIn(directory);
}

/** By its name, or by the folder it is in. */
function isExcludedProject(project: string, directory: string | null, { excludeProjects }: CaptureRules): boolean {
  return excludeProjects.some((pattern) => {
    const shape = pattern.replace(/(?<=.)[\\/]+$/, '');
    return (
      matchesName(shape, project) ||
      (directory !== null && foldersOf(directory).some((folder) => matchesName(shape, folder)))
    );
  });
}

function foldersOf(directory: string): string[] {
  const parts = directory.split(/(?=[\\/])/);
  return parts.map((_, i) => parts.slice(0, i + 1).join(''));
}

interface Work {
  variables: Variables;
  screen: Screen;
  names: Set<string>;
  seen: ScreenedTexts | undefined;
}

function screenTool(payload: Payload, rules: CaptureRules, { variables, screen, names, seen }: Work): ToolUse {
  const { name, input, response, failed, durationMs, server } = payload.tool!;
  const denied = findDeniedPaths(input, compileDenied(rules.excludePaths), lookAround(payload.directory, variables));
  const common = {
    name: screen(name, MAX_LABEL),
    ...(failed && { failed: true as const }),
    ...(durationMs !== undefined && { durationMs }),
    ...(server !== undefined && { server: screen(server, MAX_LABEL) }),
  };
  if (denied.length > 0) {
    names.add('denied-path');
    const paths = denied.map((path) => screen(path, MAX_PATH));
    return { ...common, input: paths.length === 1 ? { path: paths[0]! } : { paths }, output: DENIED_OUTPUT };
  }
  const screened = screenInput(input, rules.patterns, seen);
  for (const one of screened.names) names.add(one);
  return { ...common, input: screened.value, output: screen(describeOutput(response), MAX_OUTPUT, true) };
}

const MOST_LINKS = 256;
const MOST_FOLDERS = 32;
/** In all folders together. */
const MOST_ENTRIES = 50_000;

/** This machine, asked a bounded number of times. */
function lookAround(directory: string | null, variables: Variables): Surroundings {
  let links = MOST_LINKS;
  let folders = MOST_FOLDERS;
  let entries = MOST_ENTRIES;
  return {
    directory,
    variables,
    follow(path) {
      if (links-- <= 0 || path.includes('\0')) return null;
      try {
        return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path);
      } catch {
        return null; // no right to look, or a link that leads nowhere: then nobody has read it either
      }
    },
    list(folder) {
      if (folders-- <= 0) return null;
      try {
        const names = readdirSync(folder === '' ? '.' : folder);
        entries -= names.length;
        return entries < 0 ? null : names;
      } catch {
        return []; // not there
      }
    },
  };
}
