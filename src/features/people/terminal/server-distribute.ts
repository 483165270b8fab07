import { confirmPlan } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showBytes, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { DistributionPlan } from '../../../model/database-administration.ts';
import { loadConfigOnce } from '../../../settings/config.ts';

export async function distribute({
  args,
  terminal,
  json,
  sources,
  machine,
  ...context
}: CommandContext): Promise<number> {
  const config = loadConfigOnce(sources);
  const shards = readShards(args.text('shards'));
  const plan = await machine.distributeDatabase(config, { shards, dryRun: true });
  const dryRun = args.isOn('dry-run');
  if (!json) showPlan(plan, terminal);
  if (dryRun || plan.tables.every(({ done }) => done)) {
    context.answer({ ...plan, dryRun }, () => {});
    return EXIT.ok;
  }
  if (
    !args.isOn('yes') &&
    !(await confirmPlan(terminal, 'Programs that use the database will wait until it is done. Continue?'))
  )
    return EXIT.refused;
  const progress = createProgress(terminal, args.isOn('quiet'));
  const done = await machine.distributeDatabase(config, {
    shards,
    onTable: (table, at, total) => progress.show(`spreading ${table}`, at, total),
  });
  progress.end();
  const sum = `${showCount(done.tables.length, 'table')} on ${showCount(done.nodes.length, 'node')}, ${done.shards} shards.`;
  context.answer({ ...done, dryRun }, terminal.paint('green', `Done: ${sum}`));
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
    print(`Everything is already distributed: ${tables.length} tables, ${shards} shards on ${nodes.join(', ')}.`);
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
  { args, terminal, answer, sources, machine }: CommandContext,
  who: string | undefined,
): Promise<number> {
  if (who === undefined)
    throw new UsageError(
      '`ltm server isolate` needs a space, a team or a person.',
      'For example `ltm server isolate "Big team" --node db3.internal:5432`.',
    );
  const config = loadConfigOnce(sources);
  const node = args.text('node');
  const dryRun = args.isOn('dry-run');
  const minutes = args.number('minutes', { min: 1, max: 100_000 });
  const limitMs = minutes === undefined ? undefined : minutes * 60_000;
  const options = { node, blockWrites: args.isOn('block-writes'), limitMs };
  const before = await machine.isolateTenant(config, who, { ...options, dryRun: true });
  const step = before.alone ? 'It already has its own shard' : 'It gets its own shard';
  const move = before.moved ? ` and moves from ${before.node} to ${node}` : '';
  if (!dryRun && !args.isOn('yes') && !(await confirmPlan(terminal, `${step}${move}. Continue?`))) return EXIT.refused;
  const place = dryRun ? before : await machine.isolateTenant(config, who, options);
  const space = safeLine(place.space);
  answer(
    { ...place, dryRun },
    dryRun
      ? `${space} is on ${place.node}, ${place.alone ? 'alone in its shard' : 'in a shard with others'}.`
      : `${space} now has its own shard, ${place.shard}, on ${place.node}.`,
  );
  return EXIT.ok;
}
