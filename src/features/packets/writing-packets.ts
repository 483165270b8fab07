import type { ToolAnswer, ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { type Fields, flag } from '../../verbs/field.ts';
import {
  definePacketTool,
  failure,
  IN_TEAM,
  ONE_PACKET,
  type OnePacket,
  refuseFindings,
} from './define-packet-tool.ts';
import { completePacket, PACKET_SHAPE, PLAIN_PACKET_SHAPE } from './packet-argument.ts';
import { publicationOf } from './verbs/publish-packet.ts';

const SAVED: Fields = {
  packet: { type: 'any', isRequired: true },
  ...IN_TEAM,
  allow_unredacted: flag('Keep it although it seems to hold secrets or private paths; only if the user says so'),
};

interface SaveArguments {
  packet: unknown;
  allow_unredacted?: boolean;
}

export const save = definePacketTool<SaveArguments>({
  name: 'save',
  title: 'Save a packet',
  text: 'Leave the state of this work for the next session: goal, decisions with their reasons, attempts and what they taught, next step. One sentence a field. Returns the id.',
  action: 'write',
  listed: SAVED,
  shapes: { packet: PACKET_SHAPE },
  output: { id: 'string' },
  run: keep,
});

export const push = definePacketTool<SaveArguments>({
  name: 'push',
  title: 'Push a packet',
  text: 'Store a packet that is there as JSON. Required: goal, next_step; in decisions what, why; in attempts tried, outcome (succeeded|failed|partial); in methods name, when_applicable, how. Returns the id.',
  action: 'write',
  listed: SAVED,
  shapes: { packet: PLAIN_PACKET_SHAPE },
  output: { id: 'string' },
  run: keep,
});

async function keep({ engine, caller, now }: ToolContext, given: SaveArguments): Promise<ToolAnswer> {
  const allowUnredacted = given.allow_unredacted === true;
  const outcome = await engine.savePacket(caller, { ...completePacket(given.packet, now), allowUnredacted });
  if (outcome.outcome === 'invalid')
    return failure(new EngineError('invalid_input', `packet rejected: ${outcome.message}`));
  if (outcome.outcome === 'unredacted') return refuseFindings(outcome.findings);
  return { structured: { id: outcome.id, outcome: outcome.outcome }, text: outcome.id };
}

export const rm = definePacketTool<OnePacket>({
  name: 'rm',
  title: 'Delete a packet',
  text: 'Delete a packet. Saving it again brings it back.',
  action: 'write',
  destructive: true,
  listed: ONE_PACKET,
  output: { deleted: 'string' },
  run: async ({ engine, caller }, { id }) => {
    await engine.deletePacket(caller, id);
    return { structured: { deleted: id }, text: `deleted ${id}` };
  },
});

export const publish = definePacketTool<OnePacket>({
  name: 'publish',
  title: 'Publish a packet',
  text: 'Make a packet WORLD-READABLE: anyone with the address can read it, without signing in. Only when the user asks for it. Idempotent: repeated, it gives the same address and time. unpublish takes it back.',
  action: 'write',
  idempotent: true,
  listed: ONE_PACKET,
  output: { id: 'string', public_url: 'string', published_at: 'string' },
  run: async ({ engine, caller }, { id }) => {
    const { publicUrl, publishedAt } = publicationOf(await engine.publishPacket(caller, id), engine.publicUrl() ?? '');
    return { structured: { id, public_url: publicUrl, published_at: publishedAt }, text: publicUrl };
  },
});

export const unpublish = definePacketTool<OnePacket>({
  name: 'unpublish',
  title: 'Unpublish a packet',
  text: 'Take a published packet back: its address leads nowhere from then on.',
  action: 'write',
  idempotent: true,
  listed: ONE_PACKET,
  output: { unpublished: 'string' },
  run: async ({ engine, caller }, { id }) => {
    await engine.unpublishPacket(caller, id);
    return { structured: { unpublished: id }, text: `unpublished ${id}` };
  },
});
