import { createInterface } from 'node:readline/promises';
import { toWire } from '../../model/wire.ts';
import { type ChangedEmbedder, changeEmbedder, endChange } from '../../server/change-embedder.ts';
import { loadConfig } from '../../server/config.ts';
import { type KnownEmbedder, listEmbedders } from '../../server/known-embedders.ts';
import type { Health } from '../../server/local-session.ts';
import { createLog } from '../../server/log.ts';
import { EMBEDDERS } from '../../server/setting-kinds.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { safeLine } from '../safe-text.ts';
import { showCount } from '../show-age.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const [verb = 'status', name] = context.args.words;
  if (name !== undefined && verb !== 'use') throw new UsageError(`\`ltm embedder ${verb}\` takes no name.`);
  if (verb === 'list') return list(context);
  if (verb === 'status') return status(context);
  if (verb === 'use') return use(context, name);
  if (verb === 'clean') return clean(context);
  throw new UsageError(
    `There is no \`ltm embedder ${safeLine(verb)}\`.`,
    'It is one of: list, use NAME, status, clean.',
  );
}

async function list({ sources, terminal, json }: CommandContext): Promise<number> {
  const known = await listEmbedders(loadConfig(sources), createLog('silent'));
  if (json)
    terminal.printJson(toWire({ embedders: known.map((each) => ({ ...each, usable: each.problem === null })) }));
  else for (const each of known) showKnown(each, terminal);
  return EXIT.ok;
}

function showKnown({ name, active, id, dimensions, from, problem }: KnownEmbedder, { print, paint }: Terminal): void {
  const mark = active ? paint('green', '●') : ' ';
  const space = id === null ? '' : `  ${safeLine(id)}, ${dimensions} dimensions`;
  print(`${mark} ${name.padEnd(7)} ${safeLine(from)}${paint('dim', space)}`);
  if (problem !== null) print(`          ${paint('yellow', safeLine(problem))}`);
}

interface Status {
  embedder: string;
  id: string | null;
  dimensions: number | null;
  passages: number;
  embedded: number;
  pendingMemories: number;
  searching: string | null;
  others: { id: string; passages: number }[];
  problems: string[];
}

async function readStatus({ open }: CommandContext): Promise<Status> {
  const { engine, caller, config } = await open();
  const { embedder, facts, problems } = await engine.checkHealth(caller);
  const others = facts.vectors
    .filter((each) => each.embedder !== embedder?.id)
    .map(({ embedder: id, passages }) => ({ id, passages }));
  const known = embedder !== null && embedder.dimensions > 0;
  return {
    embedder: config.embedder,
    id: known ? embedder.id : null,
    dimensions: known ? embedder.dimensions : null,
    passages: facts.passages,
    embedded: countOf(facts, embedder?.id),
    pendingMemories: embedder?.pending ?? 0,
    searching: embedder?.searching ?? null,
    others,
    problems,
  };
}

function countOf({ vectors }: Health['facts'], id: string | undefined): number {
  return vectors.find(({ embedder }) => embedder === id)?.passages ?? 0;
}

async function status(context: CommandContext): Promise<number> {
  const found = await readStatus(context);
  const { print, paint, printJson } = context.terminal;
  if (context.json) {
    printJson(toWire(found));
    return EXIT.ok;
  }
  const row = (name: string, value: string): void => print(`${paint('dim', name.padEnd(10))} ${value}`);
  row(
    'embedder',
    found.id === null ? found.embedder : `${found.embedder}  ${safeLine(found.id)}, ${found.dimensions} dimensions`,
  );
  if (found.embedder !== 'none')
    row('vectors', `${found.embedded.toLocaleString('en')} of ${showCount(found.passages, 'passage')}`);
  if (found.pendingMemories > 0)
    row(
      'pending',
      `${showCount(found.pendingMemories, 'memory', 'memories')}; \`ltm serve\` works on it in the background`,
    );
  if (found.searching !== null && found.searching !== found.id)
    row('searching', `${safeLine(found.searching)} until the new vectors are there`);
  for (const { id, passages } of found.others) row('also kept', `${safeLine(id)}: ${showCount(passages, 'passage')}`);
  for (const problem of found.problems) row('problem', paint('yellow', safeLine(problem)));
  return EXIT.ok;
}

async function use(context: CommandContext, name: string | undefined): Promise<number> {
  const { args, terminal, sources, json } = context;
  const embedder = EMBEDDERS.find((known) => known === name);
  if (embedder === undefined)
    throw new UsageError('Usage: ltm embedder use NAME', `NAME is one of ${EMBEDDERS.join(', ')}.`);
  if (args.isOn('drop-old') && !args.isOn('now'))
    throw new UsageError('--drop-old goes with --now: the old vectors are needed until the new ones are there.');
  const changed = await changeEmbedder(sources, embedder, createLog('error'));
  if (changed.overruledBy !== null)
    terminal.warn(`${changed.overruledBy} names another embedder and wins over the config file`);
  const embedded = args.isOn('now') && changed.toEmbed > 0 ? await embedNow(context, changed) : 0;
  const dropped = args.isOn('drop-old') ? await dropOthers(context) : 0;
  if (json) terminal.printJson(toWire({ ...changed, embeddedMemories: embedded, droppedVectors: dropped }));
  else describeChange(changed, { now: args.isOn('now'), embedded, dropped }, terminal);
  return EXIT.ok;
}

/** In this process, until nothing is pending; what another process is doing meanwhile is left to it. */
async function embedNow({ args, terminal, open }: CommandContext, { toEmbed }: ChangedEmbedder): Promise<number> {
  const { engine, caller, config } = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const { embedded } = await engine.runUpkeep(undefined, {
    onEmbedded: (done) => progress.show('embedding', done, toEmbed),
  });
  progress.end();
  const { embedder } = await engine.checkHealth(caller);
  if (embedder?.pending === 0) endChange(config);
  else
    terminal.warn(
      `${showCount(embedder?.pending ?? 0, 'memory', 'memories')} still lack vectors: another process is at it, or the embedder failed (\`ltm embedder status\`)`,
    );
  return embedded;
}

function describeChange(
  changed: ChangedEmbedder,
  done: { now: boolean; embedded: number; dropped: number },
  { print, note }: Terminal,
): void {
  const { embedder, id, toEmbed, passages, previous, file } = changed;
  print(`Set embedder to ${embedder} in ${file}.`);
  if (done.embedded > 0)
    print(`Embedded ${showCount(done.embedded, 'memory', 'memories')} with ${safeLine(id ?? '')}.`);
  if (done.dropped > 0) print(`Removed ${showCount(done.dropped, 'vector')} of other embedders.`);
  if (id !== null && toEmbed > 0 && !done.now) {
    print(
      `${showCount(toEmbed, 'passage')} of ${passages.toLocaleString('en')} will be embedded anew in the background, and it goes on where it was stopped.`,
    );
    if (previous !== null) print(`Until then searches use the vectors of ${previous.embedder}; they are kept.`);
  }
  note('A running `ltm serve` or `ltm mcp` takes the change at its next start.');
}

async function clean(context: CommandContext): Promise<number> {
  const { terminal, args, json } = context;
  const { others, id, pendingMemories } = await readStatus(context);
  if (pendingMemories > 0 && others.length > 0) {
    throw new UsageError(
      `${safeLine(id ?? 'The embedder')} has not caught up yet: searches may still use the old vectors.`,
      'Wait, or run `ltm embedder use NAME --now`.',
    );
  }
  if (others.length > 0 && !args.isOn('yes') && !(await isConfirmed(others, terminal))) return EXIT.refused;
  const dropped = await dropOthers(context);
  if (json) terminal.printJson(toWire({ droppedVectors: dropped }));
  else
    terminal.print(
      dropped === 0
        ? 'There are no vectors of other embedders.'
        : `Removed ${showCount(dropped, 'vector')}; the database file reuses their room.`,
    );
  return EXIT.ok;
}

async function dropOthers(context: CommandContext): Promise<number> {
  const { engine, caller, config } = await context.open();
  const { others, pendingMemories } = await readStatus(context);
  if (pendingMemories > 0) return 0;
  endChange(config);
  return engine.dropVectors(
    caller,
    others.map(({ id }) => id),
  );
}

async function isConfirmed(others: Status['others'], { isInteractive, print, streams }: Terminal): Promise<boolean> {
  if (!isInteractive) throw new UsageError('Removing vectors needs --yes where nobody can be asked.');
  for (const { id, passages } of others) print(`${safeLine(id)}: ${showCount(passages, 'passage')}`);
  const dialogue = createInterface({ input: streams.stdin, output: streams.stderr as NodeJS.WritableStream });
  const answer = await dialogue.question(
    'Remove these vectors? Coming back to that embedder means embedding everything anew. [y/N] ',
  );
  dialogue.close();
  return /^y(es)?$/i.test(answer.trim());
}
