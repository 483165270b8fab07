import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { cutGoal } from '../packets/cut-goal.ts';
import { fetchAncestors } from '../packets/fetch-packet.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { openHost } from '../packets/open-host.ts';
import { showColumns } from '../packets/show-columns.ts';
import { safeLine } from '../safe-text.ts';

const GOAL_CHARS = 72;

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const chain = await fetchAncestors(await openHost(context), needPacketId(args, 'log'), args.text('team'));
  if (json) {
    terminal.printJson(chain);
    return EXIT.ok;
  }
  const rows = chain.packets.map(({ id, created_at, goal }) => [
    safeLine(id),
    safeLine(created_at),
    cutGoal(goal, GOAL_CHARS),
  ]);
  showColumns([['ID', 'CREATED', 'GOAL'], ...rows], terminal);
  if (chain.missing !== null) terminal.note(`It continues ${safeLine(chain.missing)}, which is not here.`);
  if (chain.circular) terminal.note('The chain comes back to itself; each packet is shown once.');
  return EXIT.ok;
}
