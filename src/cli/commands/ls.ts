import { type ListPacketsInput, listPackets } from '../../verbs/packets/list-packets.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showPackets } from '../packets/show-packets.ts';
import { safeJson, safeLine } from '../safe-text.ts';
import { readFlags } from '../verb-command.ts';

/** Said aloud: a server of another make may have a default of its own. */
const DEFAULT_LIMIT = 50;

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const input = { limit: DEFAULT_LIMIT, ...readFlags<ListPacketsInput>(listPackets, args) };
  const { packets, cursor } = await (await client({ team: args.text('team') })).listPackets(input);
  if (json) {
    // byte for byte what `GET /v1/packets` answers
    const listed = packets.map(({ id, createdAt, goal }) => ({ created_at: createdAt, goal, id }));
    const body = JSON.stringify({ ...(cursor !== null && { cursor }), packets: listed }, null, 2);
    terminal.streams.stdout.write(`${terminal.showsToPerson ? safeJson(body) : body}\n`);
    return EXIT.ok;
  }
  showPackets(packets, terminal);
  if (packets.length === 0) terminal.note('There are no packets. `ltm save` creates the first one.');
  if (cursor !== null) terminal.note(`More with --cursor ${safeLine(cursor)}`);
  return EXIT.ok;
}
