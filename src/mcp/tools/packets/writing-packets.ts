import * as z from 'zod';
import { EngineError } from '../../../model/errors.ts';
import { toIsoSeconds } from '../../../model/instant.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';
import { definePacketTool, failure } from './define-packet-tool.ts';
import { completePacket, packetArgument, plainPacketArgument } from './packet-argument.ts';
import { refuseFindings } from './refuse-findings.ts';
import { idArgument, teamArgument, whereOf } from './team-argument.ts';

const allowArgument = z
  .boolean()
  .optional()
  .describe('Keep it although it seems to hold secrets or private paths; only if the user says so');

interface SaveArguments {
  packet: unknown;
  allow_unredacted?: boolean | undefined;
  team?: string | undefined;
}

export const save = definePacketTool({
  name: 'save',
  title: 'Save a packet',
  description:
    'Leave the state of this work for the next session: goal, decisions with their reasons, attempts and what they taught, next step. One sentence a field. Returns the id.',
  action: 'write',
  listed: { packet: packetArgument, team: teamArgument, allow_unredacted: allowArgument },
  output: { id: z.string() },
  run: keep,
});

export const push = definePacketTool({
  name: 'push',
  title: 'Push a packet',
  description:
    'Store a packet that is there as JSON. Required: goal, next_step; in decisions what, why; in attempts tried, outcome (succeeded|failed|partial); in methods name, when_applicable, how. Returns the id.',
  action: 'write',
  listed: { packet: plainPacketArgument, team: teamArgument, allow_unredacted: allowArgument },
  output: { id: z.string() },
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

export const rm = definePacketTool({
  name: 'rm',
  title: 'Delete a packet',
  description: 'Delete a packet. Saving it again brings it back.',
  action: 'write',
  destructive: true,
  listed: { id: idArgument, team: teamArgument },
  output: { deleted: z.string() },
  run: async (context, { id, team }) => {
    await context.engine.deletePacket(await whereOf(context, team), id);
    return { structured: { deleted: id }, text: `deleted ${id}` };
  },
});

export const publish = definePacketTool({
  name: 'publish',
  title: 'Publish a packet',
  description:
    'Make a packet WORLD-READABLE: anyone with the address can read it, without signing in. Only when the user asks for it. Idempotent: repeated, it gives the same address and time. unpublish takes it back.',
  action: 'write',
  idempotent: true,
  listed: { id: idArgument, team: teamArgument },
  output: { id: z.string(), public_url: z.string(), published_at: z.string() },
  run: async (context, { id, team }) => {
    const { slug, at } = await context.engine.publishPacket(await whereOf(context, team), id);
    const url = `${context.engine.publicUrl() ?? ''}/p/${slug}`;
    return {
      structured: { id, public_url: url, published_at: toIsoSeconds(at) },
      text: url,
    };
  },
});

export const unpublish = definePacketTool({
  name: 'unpublish',
  title: 'Unpublish a packet',
  description: 'Take a published packet back: its address leads nowhere from then on.',
  action: 'write',
  idempotent: true,
  listed: { id: idArgument, team: teamArgument },
  output: { unpublished: z.string() },
  run: async (context, { id, team }) => {
    await context.engine.unpublishPacket(await whereOf(context, team), id);
    return { structured: { unpublished: id }, text: `unpublished ${id}` };
  },
});
