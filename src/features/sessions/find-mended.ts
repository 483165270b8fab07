import { baseName, type Description, distinct, type Earlier, SUMMARY_CHARS, TITLE_CHARS } from './description.ts';
import { nameSome, oneLine } from './plain-output.ts';

/**
 * A command that passes now and failed before in the same session: what mended it is what was changed in between. Nothing where it never failed, or
 * passed since.
 */
export function findMended(
  { command, concepts }: Description,
  earlier: readonly Earlier[],
  lines: readonly string[],
): Partial<Description> | null {
  if (command === null) return null;
  const at = earlier.findLastIndex((one) => isSameWork(one, command, lines));
  const failure = at < 0 ? undefined : earlier[at];
  if (failure === undefined || !failure.failed) return null;
  const since = earlier.slice(at + 1).filter(({ failed }) => !failed);
  const edited = distinct(
    since.filter(({ act }) => act === 'edit').flatMap(({ files }) => files),
    20,
  );
  const others = since.filter(({ act }) => act === 'install').map((one) => one.command ?? '');
  const problem = failure.problem ?? 'it failed';
  if (edited.length + others.length === 0)
    return {
      type: 'discovery',
      title: oneLine(`${command} passes on another run, unchanged`, TITLE_CHARS),
      summary: oneLine(`${oneLine(command, 60)} passes on another run without a change: ${problem}`, SUMMARY_CHARS),
    };
  const by = edited.length > 0 ? `editing ${nameSome(edited, 3)}` : `\`${oneLine(others.at(-1)!, 60)}\``;
  const what = edited.length > 0 ? nameSome(edited.map(baseName), 2) : others.at(-1)!.split(' ').slice(0, 3).join(' ');
  return {
    type: 'bugfix',
    title: oneLine(`Fixed ${oneLine(problem.replace(/ \(.*$/, ''), 44)} in ${what}`, TITLE_CHARS),
    summary: oneLine(`Fixed by ${by}: ${problem}; ${oneLine(command, 50)} passes again`, SUMMARY_CHARS),
    files: edited,
    concepts: distinct([...concepts, ...edited.map((path) => baseName(path).replace(/\.\w+$/, ''))], 5),
  };
}

/** The same command, or one that runs more of the same: `npm test` after `npm test -- login`, or one that names the test that failed. */
function isSameWork({ command, failed, problem }: Earlier, now: string, lines: readonly string[]): boolean {
  if (command === now) return true;
  if (!failed || command === null || now === '') return false;
  if (command.startsWith(`${now} `)) return true;
  const name = /"([^"]{4,})"/.exec(problem ?? '')?.[1];
  return name !== undefined && now.startsWith(`${command} `) && lines.some((line) => line.includes(name));
}
