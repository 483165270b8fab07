import { ask } from '../../../cli/ask.ts';
import type { CommandContext, Ending } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { createLog } from '../../../settings/log.ts';
import { EMBEDDERS } from '../../../settings/setting-kinds.ts';
import {
  type ChangedEmbedder,
  changeEmbedder,
  endChange,
  type KnownEmbedder,
  listEmbedders,
} from '../change-embedder.ts';

export function embedder(context: CommandContext): Ending {
  const [verb = 'status', name] = context.args.words;
  if (name !== undefined && verb !== 'use') throw new UsageError(`\`ltm embedder ${verb}\` takes no name.`);
  if (verb === 'list') return list(context);
  if (verb === 'status') return status(context);
  if (verb === 'use') return use(context, name);
  if (verb === 'clean') return clean(context);
  throw new UsageError(
    `There is no \`ltm embedder ${safeLine(verb)}\`.`,
    'The subcommands are: list, use NAME, status, clean.',
  );
}

async function list({ sources, terminal, answer, machine }: CommandContext): Promise<void> {
  const known = await listEmbedders(machine, loadConfigOnce(sources), createLog('silent'));
  answer({ embedders: known.map((each) => ({ ...each, usable: each.problem === null })) }, () => {
    for (const each of known) showKnown(each, terminal);
  });
}

function showKnown({ name, active, id, dimensions, from, problem }: KnownEmbedder, { print, paint }: Terminal): void {
  const mark = active ? paint('green', '●') : ' ';
  const space = id === null ? '' : `  ${safeLine(id)}, ${dimensions} dimensions`;
  print(`${mark} ${name.padEnd(7)} ${safeLine(from)}${paint('dim', space)}`);
  if (problem !== null) print(`          ${paint('yellow', safeLine(problem))}`);
}

type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus({ open }: CommandContext) {
  const { engine, caller, config } = await open();
  const { embedder: active, facts, problems } = await engine.checkHealth(caller);
  const others = facts.vectors.filter((each) => each.embedder !== active?.id);
  const known = active !== null && active.dimensions > 0 ? active : null;
  return {
    embedder: config.embedder,
    id: known?.id ?? null,
    dimensions: known?.dimensions ?? null,
    passages: facts.passages,
    embedded: facts.vectors.find((each) => each.embedder === active?.id)?.passages ?? 0,
    pendingMemories: active?.pending ?? 0,
    searching: active?.searching ?? null,
    others: others.map(({ embedder: id, passages }) => ({ id, passages })),
    problems,
  };
}

async function status(context: CommandContext): Promise<void> {
  const found = await readStatus(context);
  context.answer(found, () => showStatus(found, context.terminal));
}

function showStatus(found: Status, { print, paint }: Terminal): void {
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  const space = found.id === null ? '' : `  ${safeLine(found.id)}, ${found.dimensions} dimensions`;
  row('embedder', found.embedder + space);
  if (found.embedder !== 'none')
    row('vectors', `${found.embedded.toLocaleString('en')} of ${showCount(found.passages, 'passage')}`);
  const pending = showCount(found.pendingMemories, 'memory', 'memories');
  if (found.pendingMemories > 0) row('pending', `${pending}; \`ltm serve\` works on it in the background`);
  if (found.searching !== null && found.searching !== found.id)
    row('searching', `${safeLine(found.searching)} until the new vectors are complete`);
  for (const { id, passages } of found.others) row('also kept', `${safeLine(id)}: ${showCount(passages, 'passage')}`);
  for (const problem of found.problems) row('problem', paint('yellow', safeLine(problem)));
}

async function use(context: CommandContext, name: string | undefined): Promise<void> {
  const { args, terminal, sources, answer } = context;
  const wanted = EMBEDDERS.find((known) => known === name);
  const now = args.isOn('now');
  if (wanted === undefined)
    throw new UsageError('Usage: ltm embedder use NAME', `NAME is one of ${EMBEDDERS.join(', ')}.`);
  if (args.isOn('drop-old') && !now)
    throw new UsageError('--drop-old needs --now, because the old vectors are used until the new ones are complete.');
  const changed = await changeEmbedder(context.machine, sources, { name: wanted, log: createLog('error') });
  if (changed.overruledBy !== null)
    terminal.warn(`${changed.overruledBy} names another embedder and overrides the config file`);
  const embedded = now && changed.toEmbed > 0 ? await embedNow(context, changed) : 0;
  const dropped = args.isOn('drop-old') ? await dropOthers(context) : 0;
  answer({ ...changed, embeddedMemories: embedded, droppedVectors: dropped }, () =>
    describeChange(changed, { now, embedded, dropped }, terminal),
  );
}

/** In this process, until nothing is pending; what another process is doing meanwhile is left to it. */
async function embedNow({ args, terminal, open }: CommandContext, { toEmbed }: ChangedEmbedder): Promise<number> {
  const { engine, caller, config } = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const { embedded } = await engine.runUpkeep(undefined, {
    onEmbedded: (done) => progress.show('embedding', done, toEmbed),
  });
  progress.end();
  const pending = (await engine.checkHealth(caller)).embedder?.pending;
  if (pending === 0) endChange(config);
  else
    terminal.warn(
      `${showCount(pending ?? 0, 'memory', 'memories')} are not embedded yet: another process is working on it, or the embedder failed (\`ltm embedder status\`)`,
    );
  return embedded;
}

function describeChange(
  changed: ChangedEmbedder,
  done: { now: boolean; embedded: number; dropped: number },
  { print, note }: Terminal,
): void {
  const { id, toEmbed, passages, previous, file } = changed;
  print(`Set embedder to ${changed.embedder} in ${file}.`);
  if (done.embedded > 0)
    print(`Embedded ${showCount(done.embedded, 'memory', 'memories')} with ${safeLine(id ?? '')}.`);
  if (done.dropped > 0) print(`Removed ${showCount(done.dropped, 'vector')} of other embedders.`);
  if (id !== null && toEmbed > 0 && !done.now) {
    print(
      `${showCount(toEmbed, 'passage')} of ${passages.toLocaleString('en')} will be re-embedded in the background. It resumes if it is stopped.`,
    );
    if (previous !== null) print(`Until then, searches use the vectors of ${previous.embedder}; they are kept.`);
  }
  note('A running `ltm serve` or `ltm mcp` uses the new embedder after a restart.');
}

async function clean(context: CommandContext): Promise<number | undefined> {
  const { terminal, args } = context;
  const { others, id, pendingMemories } = await readStatus(context);
  if (pendingMemories > 0 && others.length > 0) {
    throw new UsageError(
      `${safeLine(id ?? 'The embedder')} has not caught up yet: searches may still use the old vectors.`,
      'Wait, or run `ltm embedder use NAME --now`.',
    );
  }
  if (others.length > 0 && !args.isOn('yes') && !(await isConfirmed(others, terminal))) return EXIT.refused;
  const dropped = await dropOthers(context);
  context.answer(
    { droppedVectors: dropped },
    dropped === 0
      ? 'There are no vectors of other embedders.'
      : `Removed ${showCount(dropped, 'vector')}; the database file reuses the space.`,
  );
}

async function dropOthers(context: CommandContext): Promise<number> {
  const { engine, caller, config } = await context.open();
  const { others, pendingMemories } = await readStatus(context);
  if (pendingMemories > 0) return 0;
  endChange(config);
  const ids = others.map(({ id }) => id);
  return engine.dropVectors(caller, ids);
}

async function isConfirmed(others: Status['others'], terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive) throw new UsageError('Without a terminal, removing vectors needs --yes.');
  for (const { id, passages } of others) terminal.print(`${safeLine(id)}: ${showCount(passages, 'passage')}`);
  return ask('Remove these vectors? Coming back to that embedder means embedding everything anew.', terminal);
}
