import { EngineError } from '../../model/errors.ts';
import type { Client } from '../../verbs/client.ts';
import { needPacket } from '../../verbs/packets/get-packet.ts';
import type { ListedPacket } from '../../verbs/packets/list-packets.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { findProject } from '../packets/find-project.ts';
import { giveBlock } from '../packets/give-block.ts';
import { pickPacket } from '../packets/pick-packet.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const [id] = args.words;
  const isChosen = id !== undefined || args.isOn('latest');
  if (!isChosen && !terminal.isInteractive)
    throw new UsageError(
      'There is no terminal to choose a packet on.',
      'Give the id of a packet, or --latest for the latest one of this project.',
    );
  const client = await context.client({ team: args.text('team') });
  const chosen = id ?? (args.isOn('latest') ? await findLatest(context, client) : (await pick(context, client))?.id);
  if (chosen === undefined) return EXIT.ok;
  const { renderResume, foldAncestors } = await import('../../server/packet-forms.ts');
  const packet = needPacket((await client.getPacket({ id: chosen })).packet);
  const older = args.isOn('with-ancestors') ? (await client.listAncestors({ id: chosen })).packets.slice(1) : [];
  return giveBlock(context, { text: renderResume(foldAncestors(packet, older)), id: chosen, copies: !isChosen });
}

/** Of the project named, or of the one around this folder. Where that has none, the last of all, but never another project's. */
async function findLatest({ args, terminal }: CommandContext, client: Client): Promise<string> {
  const project = args.text('project') ?? (await findProject()).name;
  const [own] = (await client.listPackets({ project, limit: 1 })).packets;
  if (own !== undefined) return own.id;
  const [last] = args.text('project') === undefined ? (await client.listPackets({ limit: 1 })).packets : [];
  const none = `There is no packet for the project "${project}".`;
  if (last === undefined) throw noPackets(none);
  const other = needPacket((await client.getPacket({ id: last.id })).packet).project?.name;
  if (other !== undefined)
    throw new EngineError('not_found', none, {
      hint: `The latest packet is ${last.id}, of "${other}": \`ltm resume ${last.id}\`.`,
    });
  terminal.warn(`there is no packet for the project "${project}"; this is the latest packet, which has no project`);
  return last.id;
}

async function pick({ args, terminal }: CommandContext, client: Client): Promise<ListedPacket | null> {
  const { packets } = await client.listPackets({ limit: 50, project: args.text('project') });
  if (packets.length === 0) throw noPackets('There are no packets yet.');
  return pickPacket(packets, terminal);
}

function noPackets(message: string): EngineError {
  return new EngineError('not_found', message, { hint: 'Save one first: `ltm save`, or `ltm push FILE`.' });
}
