import { distinct } from './description.ts';
import type { Observation, SessionDigest } from './observation.ts';
import { nameSome, oneLine } from './plain-output.ts';
import { readStatements, type Told } from './read-statements.ts';
import { splitSentences } from './split-sentences.ts';
import type { Statement } from './statement-cues.ts';

const MOST_LINES = 6;
const LINE_CHARS = 200;

/**
 * What a session came to so far, by rules: what was asked, done, decided, what failed and is open, and the next step. Of what was decided all counts; of
 * what is open and comes next only what was said last. `observations`: its latest, oldest first.
 */
export function digestSession(observations: readonly Observation[]): SessionDigest {
  const prompts = observations.filter(({ type }) => type === 'prompt');
  const said = observations
    .filter(({ text }) => text !== '')
    .map((one) => ({ one, told: readStatements(one.text) }))
    .filter(({ told }) => told.length > 0);
  const ofAll = (kind: Statement): string[] => said.flatMap(({ told }) => textsOf(told, kind));
  const ofLast = (kind: Statement): string[] =>
    textsOf(said.findLast(({ told }) => told.some((one) => one.kind === kind))?.told ?? [], kind);
  const plans = observations.filter(({ type }) => type === 'decision').map(({ summary }) => summary);
  const failures = listFailures(observations);
  const [next = ''] = ofLast('next');
  const open = ofLast('open').filter((text) => text !== next);
  return {
    asked: describeAsked(prompts),
    done: latest(listDone(observations)),
    decided: latest([...ofAll('decided'), ...plans]),
    failed: latest([...ofAll('failed'), ...failures]),
    open: latest([...ofLast('next').slice(1), ...open]),
    next: next || (failures.length > 0 ? oneLine(`Fix what fails: ${failures.at(-1)}`, LINE_CHARS) : ''),
  };
}

function textsOf(told: readonly Told[], kind: Statement): string[] {
  return told.filter((one) => one.kind === kind).map(({ text }) => text);
}

function latest(lines: readonly string[]): string[] {
  return distinct([...lines].reverse(), MOST_LINES)
    .reverse()
    .map((line) => oneLine(line, LINE_CHARS));
}

const BETWEEN_PROMPTS = '; ';

/** The sentences of which `describeAsked` makes one line. */
export function splitAsked(asked: string): string[] {
  return asked.split(BETWEEN_PROMPTS);
}

/** The first prompt and the latest others, each by its first sentence. */
function describeAsked(prompts: readonly Observation[]): string {
  const texts = prompts
    .map(({ text, summary }) => splitSentences(text || summary)[0] ?? '')
    .filter((text) => text.length > 8);
  const shown = texts.length <= 3 ? texts : [texts[0]!, ...texts.slice(-2)];
  return (
    oneLine(
      distinct(
        shown.map((text) => oneLine(text, 100)),
        3,
      ).join(BETWEEN_PROMPTS),
      240,
    ) ||
    (prompts[0]?.summary ?? '')
  );
}

/** What was fixed, committed and added, and which other files were edited. */
function listDone(observations: readonly Observation[]): string[] {
  const done = observations.filter(({ type, failed, tool }) => !failed && tool !== null && type !== 'prompt');
  const told = done.filter(
    ({ type, summary }) => type === 'bugfix' || type === 'feature' || /^(?:Committed|Installed) /.test(summary),
  );
  const named = new Set(told.flatMap(({ files }) => files));
  const others = distinct(
    done
      .filter(({ type }) => type === 'change' || type === 'refactor')
      .flatMap(({ files }) => files.filter((file) => !named.has(file))),
    50,
  );
  return [...(others.length > 0 ? [`Edited ${nameSome(others, 6)}`] : []), ...told.map(({ summary }) => summary)];
}

/** Commands that failed when they were last run. */
function listFailures(observations: readonly Observation[]): string[] {
  const last = new Map<string, Observation>();
  for (const one of observations) if (one.command !== null && !isLook(one)) last.set(one.command, one);
  return [...last.values()].filter(({ failed }) => failed).map(({ summary }) => summary);
}

function isLook({ act }: Observation): boolean {
  return act === 'look';
}
