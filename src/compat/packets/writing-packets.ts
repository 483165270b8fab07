import type { ToolAnswer, ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { type Fields, flag } from '../../verbs/field.ts';
import { definePacketTool, failure } from './define-packet-tool.ts';
import { completePacket, PACKET_SHAPE, PLAIN_PACKET_SHAPE } from './packet-argument.ts';
import { refuseFindings } from './refuse-findings.ts';
import { IN_TEAM, type InTeam, ONE_PACKET, type OnePacket, whereOf } from './team-argument.ts';

const SAVED: Fields = {
  packet: { type: 'any', isRequired: true },
  ...IN_TEAM,
  allow_unredacted: flag('Keep it although it seems to hold secrets or private paths; only if the user says so'),
};

interface SaveArguments extends InTeam {
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
  output: { id: { type: 'string' } },
  run: keep,
});

export const push = definePacketTool<SaveArguments>({
  name: 'push',
  title: 'Push a packet',
  text: 'Store a packet that is there as JSON. Required: goal, next_step; in decisions what, why; in attempts tried, outcome (succeeded|failed|partial); in methods name, when_applicable, how. Returns the id.',
  action: 'write',
  listed: SAVED,
  shapes: { packet: PLAIN_PACKET_SHAPE },
  output: { id: { type: 'string' } },
  run: keep,
});

async function keep(context: ToolContext, { packet, allow_unredacted, team }: SaveArguments): Promise<ToolAnswer> {
  const caller = await whereOf(context, team);
  const outcome = await context.engine.savePacket(caller, {
    raw: completePacket(packet, context.now),
    allowUnredacted: allow_unredacted === true,
  });
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
  output: { deleted: { type: 'string' } },
  run: async (context, { id, team }) => {
    await context.engine.deletePacket(await whereOf(context, team), id);
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
  output: { id: { type: 'string' }, public_url: { type: 'string' }, published_at: { type: 'string' } },
  run: async (context, { id, team }) => {
    const { slug, at } = await context.engine.publishPacket(await whereOf(context, team), id);
    const url = `${context.engine.publicUrl() ?? ''}/p/${slug}`;
    return {
      structured: { id, public_url: url, published_at: toIsoSeconds(at) },
      text: url,
    };
  },
});

export const unpublish = definePacketTool<OnePacket>({
  name: 'unpublish',
  title: 'Unpublish a packet',
  text: 'Take a published packet back: its address leads nowhere from then on.',
  action: 'write',
  idempotent: true,
  listed: ONE_PACKET,
  output: { unpublished: { type: 'string' } },
  run: async (context, { id, team }) => {
    await context.engine.unpublishPacket(await whereOf(context, team), id);
    return { structured: { unpublished: id }, text: `unpublished ${id}` };
  },
});
