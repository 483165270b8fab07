import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callHost, needList, readAnswer } from '../packets/call-host.ts';
import { cutGoal } from '../packets/cut-goal.ts';
import { openHost } from '../packets/open-host.ts';
import { showColumns } from '../packets/show-columns.ts';
import { safeJson, safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

const GOAL_CHARS = 72;
const FILTERS = ['team', 'search', 'tag', 'project', 'cursor'] as const;

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const limit = args.text('limit');
  if (limit !== undefined && !/^[+-]?\d+$/.test(limit))
    throw new UsageError(`--limit is "${limit}", but must be a whole number.`);
  const query = new URLSearchParams({ limit: limit ?? '50' });
  for (const name of FILTERS) if (args.text(name) !== undefined) query.set(name, args.text(name)!);
  const body = await (await callHost(await openHost(context), `/v1/packets?${query}`)).text();
  if (json) {
    terminal.streams.stdout.write(terminal.showsToPerson ? safeJson(body) : body);
    return EXIT.ok;
  }
  const { packets: given, cursor } = readAnswer<{
    packets?: { id: string; created_at: string; goal: string }[];
    cursor?: string;
  }>(body);
  const packets = needList(given);
  const rows = packets.map(({ id, created_at, goal }) => [
    safeLine(id),
    safeLine(created_at),
    cutGoal(goal, GOAL_CHARS),
  ]);
  showColumns([['ID', 'CREATED', 'GOAL'], ...rows], terminal);
  if (packets.length === 0) terminal.note('No packets here. `ltm save` makes the first one.');
  if (cursor !== undefined) terminal.note(`More with --cursor ${safeLine(cursor)}`);
  return EXIT.ok;
}
