import { readFileSync, realpathSync } from 'node:fs';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { EngineError } from '../../../model/errors.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { readCustomPatterns } from '../../../privacy/custom-patterns.ts';
import { compileDenied, isDenied } from '../../../privacy/denied-paths.ts';
import { examineText } from '../../../privacy/examine-text.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { readHookSettings } from '../capture/hook-settings.ts';
import { makeEvent } from '../capture/make-event.ts';
import { readPayload } from '../capture/read-payload.ts';

/** What would be kept of a file if an agent's tool gave it back, and what not, and why. */
export async function privacy(context: CommandContext): Promise<number> {
  const [verb, file, ...more] = context.args.words;
  if (verb !== 'test' || file === undefined || more.length > 0)
    throw new UsageError('`ltm privacy` needs `test` and a file.', 'For example `ltm privacy test session.log`.');
  const { answer, terminal, sources, env } = context;
  const text = readText(file);
  const config = loadConfigOnce(sources);
  const custom = readCustomPatterns(config.privacyPatterns);
  const denied = compileDenied(config.captureExcludePaths);
  const isLeftOut = isDenied(file, denied) || (file !== '-' && isDenied(realpathSync(file), denied));
  const examined = examineText(text, custom.patterns);
  const event = describeEvent(text, { ...readHookSettings(env), env });
  const report = { file, deniedPath: isLeftOut, ...examined, event, ignoredPatterns: custom.ignored };
  answer(report, () => {
    if (isLeftOut) terminal.print('Only the path is captured: its name is one of the denied paths.');
    for (const { line, what, rule, why, chars } of examined.withheld)
      terminal.print(`line ${line}: ${rule}, ${chars} characters ${what} (${why})`);
    if (examined.leftOut !== null) terminal.print(`Nothing of the text is kept: ${examined.leftOut}.`);
    if (event !== null) terminal.print(`As an event of a session: ${event}.`);
    terminal.print(`${examined.kept} of ${examined.chars} characters would be kept.`);
    for (const { pattern, why } of custom.ignored)
      terminal.note(`privacy_patterns: ${safeLine(pattern)} is ignored, ${why}.`);
  });
  return EXIT.ok;
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new EngineError('invalid_input', `${safeLine(file)} cannot be read.`, {
      cause,
      hint: 'Name a file, or - for stdin.',
    });
  }
}

/** A file that is what a hook gets on stdin: whether it would be captured. null: it is something else. */
function describeEvent(
  text: string,
  { rules, env }: ReturnType<typeof readHookSettings> & Pick<CommandContext, 'env'>,
): string | null {
  const fields = parseJson(text);
  const payload = isObject(fields) ? readPayload(fields) : null;
  if (payload === null) return null;
  const event = makeEvent(payload, rules, { variables: env, now: Date.now() });
  if (typeof event === 'string') return `left out (${event})`;
  const screened = event.screened === undefined ? 'nothing to withhold' : `withheld: ${event.screened.join(', ')}`;
  return `captured, ${screened}`;
}
