import { createInterface } from 'node:readline/promises';
import { toWire } from '../../model/wire.ts';
import { loadConfig } from '../../server/config.ts';
import { type DistributionPlan, distributeDatabase, isolateTenant } from '../../server/distribute-database.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { safeLine } from '../safe-text.ts';
import { showBytes, showCount } from '../show-age.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function distribute({ args, terminal, json, sources }: CommandContext): Promise<number> {
  const { db } = loadConfig(sources);
  const shards = readShards(args.text('shards'));
  const options = shards === undefined ? {} : { shards };
  const plan = await distributeDatabase(db, { ...options, dryRun: true });
  const todo = plan.tables.filter(({ done }) => !done);
  const dryRun = args.isOn('dry-run');
  if (!json) showPlan(plan, terminal);
  if (todo.length === 0 || dryRun) {
    if (json) terminal.printJson(toWire({ ...plan, dryRun }));
    return EXIT.ok;
  }
  if (!args.isOn('yes') && !(await confirm(terminal, 'Programs that use the database wait until it is done. Go on?')))
    return EXIT.refused;
  const progress = createProgress(terminal, args.isOn('quiet'));
  const done = await distributeDatabase(db, {
    ...options,
    onTable: (table, at, total) => progress.show(`spreading ${table}`, at, total),
  });
  progress.end();
  if (json) terminal.printJson(toWire({ ...done, dryRun }));
  else
    terminal.print(
      terminal.paint(
        'green',
        `Done: ${showCount(done.tables.length, 'table')} on ${showCount(done.nodes.length, 'node')}, ${done.shards} shards.`,
      ),
    );
  return EXIT.ok;
}

function readShards(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const shards = Number(text);
  if (Number.isInteger(shards) && shards >= 1 && shards <= 64_000) return shards;
  throw new UsageError('--shards must be a whole number from 1 to 64000.');
}

function showPlan({ citus, nodes, shards, tables }: DistributionPlan, { print, paint }: Terminal): void {
  const todo = tables.filter(({ done }) => !done);
  if (todo.length === 0) {
    print(`Everything is distributed already: ${tables.length} tables, ${shards} shards on ${nodes.join(', ')}.`);
    return;
  }
  print(`Citus ${citus}; nodes: ${nodes.join(', ')}; ${shards} shards.`);
  for (const { table, as, bytes } of todo) {
    print(
      `  ${table.padEnd(18)} ${as === 'distributed' ? 'by space, colocated' : 'whole on every node'}${paint('dim', `  ${showBytes(bytes)}`)}`,
    );
  }
}

export async function isolate(
  { args, terminal, json, sources }: CommandContext,
  who: string | undefined,
): Promise<number> {
  if (who === undefined)
    throw new UsageError(
      '`ltm server isolate` needs a space, a team or a person.',
      'For example `ltm server isolate "Big team" --node db3.internal:5432`.',
    );
  const { db } = loadConfig(sources);
  const node = args.text('node');
  const dryRun = args.isOn('dry-run');
  const options = { ...(node !== undefined && { node }), blockWrites: args.isOn('block-writes') };
  const before = await isolateTenant(db, who, { ...options, dryRun: true });
  if (
    !dryRun &&
    !args.isOn('yes') &&
    !(await confirm(
      terminal,
      `${before.alone ? 'It has a shard of its own' : 'It gets a shard of its own'}${before.moved ? ` and moves from ${before.node} to ${node}` : ''}. Go on?`,
    ))
  ) {
    return EXIT.refused;
  }
  const place = dryRun ? before : await isolateTenant(db, who, options);
  if (json) terminal.printJson(toWire({ ...place, dryRun }));
  else if (dryRun)
    terminal.print(
      `${safeLine(place.space)} is on ${place.node}, ${place.alone ? 'alone in its shard' : 'in a shard with others'}.`,
    );
  else terminal.print(`${safeLine(place.space)} has shard ${place.shard} on ${place.node} for itself.`);
  return EXIT.ok;
}

async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInteractive)
    throw new UsageError('Nobody is here to agree to it.', 'Look with --dry-run, then add --yes.');
  const reading = createInterface({
    input: terminal.streams.stdin,
    output: terminal.streams.stderr as NodeJS.WritableStream,
  });
  const answer = await reading.question(`${question} [y/N] `);
  reading.close();
  return /^y(es)?$/i.test(answer.trim());
}
