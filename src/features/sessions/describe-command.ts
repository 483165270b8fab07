import type { ToolUse } from '../../model/session-event.ts';
import { type Description, distinct, type Earlier, MOST_CONCEPTS, SUMMARY_CHARS, TITLE_CHARS } from './description.ts';
import { findError, readExitCode } from './find-error.ts';
import { findMended } from './find-mended.ts';
import type { ObservationType } from './observation.ts';
import { nameSome, oneLine, plainLines } from './plain-output.ts';
import { type ReadCommand, readCommand } from './read-command.ts';
import { readTestResults, type TestResults } from './read-test-results.ts';

export interface CommandUse extends Pick<ToolUse, 'output' | 'failed'> {
  command: string;
  /** What the agent says it is for. */
  about: string;
}

/** Which command with which outcome; where it passes what failed before, what mended it. */
export function describeCommand(use: CommandUse, earlier: readonly Earlier[]): Description {
  const command = readCommand(use.command);
  const outcome = readOutcome(command, use);
  const described = describeOutcome(command, use, outcome);
  const mended = outcome.failed ? null : findMended(described, earlier, outcome.lines);
  return mended === null ? described : { ...described, ...mended };
}

interface Outcome {
  lines: readonly string[];
  tests: TestResults | null;
  failed: boolean;
  code: number | null;
  error: string | null;
  errors: number;
  name: string | null;
}

/** What prints other programs' words is only believed by its exit status. */
const SHOWS = new Set(['look', 'git', 'commit', 'files']);

function readOutcome(command: ReadCommand, { output, failed }: CommandUse): Outcome {
  const lines = plainLines(output);
  const code = readExitCode(lines);
  const tests = SHOWS.has(command.purpose) ? null : readTestResults(lines);
  const error = command.purpose === 'look' && failed !== true && (code ?? 0) === 0 ? null : findError(lines);
  const wentWrong =
    failed === true ||
    (code !== null && code !== 0) ||
    (tests !== null && tests.failed > 0) ||
    (code === null && tests === null && error !== null && !SHOWS.has(command.purpose) && isFatal(error.text)) ||
    (command.purpose === 'commit' && error !== null);
  return {
    lines,
    tests,
    code,
    failed: wentWrong,
    error: wentWrong ? (error?.text ?? null) : null,
    errors: error?.count ?? 0,
    name: wentWrong ? (error?.name ?? null) : null,
  };
}

/** A warning that mentions an error is none; these end a program. */
function isFatal(text: string): boolean {
  return !/\bwarn(?:ing)?\b|^0 errors|deprecat/i.test(text);
}

function describeOutcome(command: ReadCommand, use: CommandUse, outcome: Outcome): Description {
  const { tests, failed } = outcome;
  const shown = oneLine(command.text, 60);
  const said = failed ? describeFailure(outcome) : describeSuccess(command, use, outcome);
  const summary = said.startsWith('\0') ? said.slice(1) : `${shown}: ${said}`;
  const problem = failed ? describeProblem(outcome, use.output) : null;
  return {
    title: oneLine(summary, TITLE_CHARS),
    summary: oneLine(summary, SUMMARY_CHARS),
    type: failed ? 'discovery' : typeOf(command, use.command),
    files: [],
    concepts: distinct([tests?.runner ?? command.name, outcome.name ?? '', ...listInstalled(command)], MOST_CONCEPTS),
    failed,
    act: command.purpose === 'install' ? 'install' : command.purpose === 'look' ? 'look' : 'command',
    command: command.text.slice(0, 200),
    problem,
  };
}

function describeFailure({ tests, code, error, errors }: Outcome): string {
  if (tests !== null && tests.failed > 0) {
    const names = nameSome(tests.failing.map(quote), 3);
    const because = error === null ? '' : ` — ${error}`;
    return `${tests.failed} of ${tests.failed + tests.passed} failed${names === '' ? '' : `: ${names}`}${because}`;
  }
  const status = code === null || code === 0 ? 'failed' : `failed (exit ${code})`;
  if (error === null) return status;
  return errors > 1 ? `${errors} errors, first: ${error}` : `${status}: ${error}`;
}

/** What shall not come back, in few words: the tests that failed, or the error. */
function describeProblem({ tests, error, code }: Outcome, output: string): string {
  if (tests !== null && tests.failing.length > 0)
    return oneLine(`${nameSome(tests.failing.map(quote), 2)}${error === null ? '' : ` (${error})`}`, 160);
  return oneLine(error ?? (code === null ? lastWords(output) : `exit ${code}`), 160);
}

function lastWords(output: string): string {
  return plainLines(output).findLast((line) => line.trim() !== '') ?? 'it failed';
}

/** A text that begins with NUL stands alone; otherwise it follows the command. */
function describeSuccess(
  command: ReadCommand,
  { command: whole, about }: CommandUse,
  { tests, lines }: Outcome,
): string {
  if (tests !== null) return `all ${tests.passed} tests passed`;
  if (command.purpose === 'commit') return `\0Committed ${quote(readCommitMessage(whole, lines))}${showHash(lines)}`;
  const installed = nameSome(listInstalled(command), 5);
  if (command.purpose === 'install' && installed !== '')
    return `\0${/\b(?:remove|rm|uninstall)\b/.test(command.text) ? 'Removed' : 'Installed'} ${installed} (${command.name.split(' ')[0]})`;
  if (['test', 'build', 'lint'].includes(command.purpose)) return 'passed';
  const purpose = about.trim() === '' ? '' : ` (${oneLine(about, 80)})`;
  return `\0Ran ${oneLine(command.text, 100)}${purpose}`;
}

function typeOf({ purpose, text }: ReadCommand, whole: string): ObservationType {
  if (purpose === 'look') return 'discovery';
  if (
    purpose === 'install' ||
    purpose === 'files' ||
    (purpose === 'git' && /\b(?:merge|rebase|revert|reset|cherry-pick)\b/.test(text))
  )
    return 'change';
  return purpose === 'commit' ? typeOfCommit(readCommitMessage(whole, [])) : 'note';
}

function typeOfCommit(message: string): ObservationType {
  if (/^(?:fix|bugfix|hotfix)\b|^(?:fix|repair|correct|resolve)(?:e[sd])?\b/i.test(message)) return 'bugfix';
  if (/^feat\b|^(?:add|implement|introduce|support|let|allow)\b/i.test(message)) return 'feature';
  return /^(?:refactor|rename|move|split|simplify|extract|clean)\b/i.test(message) ? 'refactor' : 'change';
}

/** The first line of what was said with `-m`, or of the document that was fed in; else what git repeats. */
function readCommitMessage(command: string, lines: readonly string[]): string {
  const fed = /<<-?\s*['"]?(\w+)['"]?\s*\n([\s\S]*?)\n\s*\1/.exec(command)?.[2];
  const given = /\s(?:-\w*m|--message)[ =]*(["'])([\s\S]+?)(?<!\\)\1/.exec(command)?.[2];
  const said = lines.map((line) => /^\[[^\]]+ [0-9a-f]{7,}\] (.+)$/.exec(line)?.[1]).find((one) => one !== undefined);
  const message = said ?? fed ?? (given?.startsWith('$(') ? undefined : given) ?? '';
  return oneLine(message.trim().split('\n')[0] ?? '', 90) || 'changes';
}

function showHash(lines: readonly string[]): string {
  const hash = lines.map((line) => /^\[[^\]]* ([0-9a-f]{7,40})\]/.exec(line)?.[1]).find((one) => one !== undefined);
  return hash === undefined ? '' : ` (${hash.slice(0, 8)})`;
}

function listInstalled({ purpose, text }: ReadCommand): string[] {
  if (purpose !== 'install') return [];
  const words = text.split(' ').slice(1);
  const names = words.filter(
    (word, i) => i > 0 && /^@?[A-Za-z][\w@./-]*(?:\[[\w,]+\])?(?:[=<>~^]=?[\w.*]+)?$/.test(word),
  );
  return names.filter((name) => !/^(?:install|add|i|remove|uninstall|get|tidy|requirements\.txt)$/.test(name));
}

function quote(text: string): string {
  return text.startsWith('"') ? text : `"${oneLine(text, 70)}"`;
}
