import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { type Config, loadConfigOnce } from '../../../settings/config.ts';
import { createLog } from '../../../settings/log.ts';
import { describeOwn, describeRun, runEvaluation, runOwnEvaluation } from '../run-evaluation.ts';
import { showEvaluation, showOwnEvaluation } from './show-evaluation.ts';

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Any number does; the same one makes two runs comparable. */
const SEED = 1;

export async function evaluate(context: CommandContext): Promise<number> {
  const { args, terminal, sources } = context;
  checkWords(context);
  const config = loadConfigOnce(sources);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const { signal, release } = listenForEnd();
  try {
    const run = { seed: SEED, signal, onProgress: progress.show };
    const show = await (args.isOn('own') ? evaluateOwn : evaluateFiles)(context, config, run);
    progress.end();
    show();
    return EXIT.ok;
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.note('Stopped. The temporary files were removed.');
    return EXIT.interrupted;
  } finally {
    progress.end();
    release();
  }
}

function checkWords({ args }: CommandContext): void {
  const isOwn = args.isOn('own');
  if (isOwn && args.words.length > 0)
    throw new UsageError('`ltm eval --own` uses your own memories and takes no file.');
  if (!isOwn && args.words.length === 0)
    throw new UsageError('`ltm eval` needs a file of conversations, or --own.', '`ltm help eval` shows examples.');
}

/** Measures, and gives back how to show what came of it. */
type Evaluating = (context: CommandContext, config: Config, run: Running) => Promise<() => void>;
type Running = Pick<Parameters<typeof runOwnEvaluation>[2], 'seed' | 'signal' | 'onProgress'>;

const evaluateFiles: Evaluating = async ({ args, terminal, json, machine }, config, run) => {
  const evaluated = await runEvaluation(machine, config, {
    log: logOf(config),
    ...run,
    files: args.words,
    limit: wholeNumber(args, 'limit', { min: 1, max: 1_000_000 }),
    k: wholeNumber(args, 'k', { min: 1, max: 100 }) ?? 10,
    bootstrap: wholeNumber(args, 'bootstrap', { min: 0, max: 100_000 }) ?? 1000,
  });
  return () => (json ? terminal.printJson(describeRun(evaluated)) : showEvaluation(evaluated, terminal));
};

const evaluateOwn: Evaluating = async ({ args, terminal, json, machine }, config, run) => {
  const questions = wholeNumber(args, 'questions', { min: 1, max: 10_000 }) ?? 200;
  const evaluated = await runOwnEvaluation(machine, config, { log: logOf(config), ...run, questions });
  return () => (json ? terminal.printJson(describeOwn(evaluated)) : showOwnEvaluation(evaluated, terminal));
};

function wholeNumber(args: Arguments, name: string, range: { min: number; max: number }): number | undefined {
  const number = args.number(name, range);
  if (number !== undefined && !Number.isInteger(number))
    throw new UsageError(`--${name} is ${number}, but must be a whole number.`);
  return number;
}

/** Warnings too: an embedder that cannot be reached changes the figures. */
function logOf(config: Config): ReturnType<typeof createLog> {
  return createLog(config.origin.logLevel.source === 'default' ? 'warn' : config.logLevel);
}

/** The first signal asks for an orderly end; a second one does not wait for it. */
function listenForEnd(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const end = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const name of ENDINGS) process.on(name, end);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of ENDINGS) process.off(name, end);
    },
  };
}
