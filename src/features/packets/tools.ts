import type { Tool } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import { EngineError } from '../../model/errors.ts';
import { definePacketTool } from './define-packet-tool.ts';
import { EXAMPLE_PACKET } from './example-packet.ts';
import { canonicalPacket } from './parse-packet.ts';
import { ls, pull, resume, show } from './reading-packets.ts';
import { publish, push, rm, save, unpublish } from './writing-packets.ts';

const example = definePacketTool({
  name: 'example',
  title: 'Example packet',
  text: 'A packet to learn from, as JSON.',
  action: 'read',
  output: { packet: 'object' },
  run: async () => ({ structured: { packet: EXAMPLE_PACKET }, text: canonicalPacket(EXAMPLE_PACKET) }),
});

/** What `ltm auth whoami` says, and who that is. Without a server there is no token. */
const whoami = definePacketTool({
  name: 'whoami',
  title: 'Who am I',
  text: 'Which server this is, and who is calling.',
  action: 'read',
  output: { host: 'string', token_hash8: 'string', user_id: 'string' },
  run: async ({ engine, caller }) => {
    const structured = {
      host: engine.publicUrl() ?? '',
      token_hash8: caller.tokenHash8 ?? '',
      user_id: caller.userId,
      scopes: [...caller.scopes],
    };
    return { structured, text: JSON.stringify(structured, null, 2) };
  },
});

const platform = definePacketTool({
  name: 'platform',
  title: 'Server address',
  text: 'The address of this server, for a browser.',
  action: 'read',
  output: { url: 'string' },
  run: async ({ engine }) => {
    const url = engine.publicUrl();
    if (url === null) throw new EngineError('not_found', 'this server has no address', { hint: 'Set external_url.' });
    return { structured: { url }, text: url };
  },
});

/** In the order in which clients see them. */
const PACKET_TOOLS: readonly Tool[] = [
  save,
  resume,
  ls,
  show,
  pull,
  push,
  rm,
  publish,
  unpublish,
  example,
  whoami,
  platform,
];

export const listTools = (): readonly ToolGroup[] => [{ family: 'packets', tools: PACKET_TOOLS }];
