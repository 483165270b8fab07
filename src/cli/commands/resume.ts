import { EngineError } from '../../model/errors.ts';
import type { PacketHost } from '../../server/local-host.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callForJson, needList } from '../packets/call-host.ts';
import { fetchAncestors, fetchPacket } from '../packets/fetch-packet.ts';
import { findProject } from '../packets/find-project.ts';
import { giveBlock } from '../packets/give-block.ts';
import { openHost } from '../packets/open-host.ts';
import { type Choice, pickPacket } from '../packets/pick-packet.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const [id] = args.words;
  const isChosen = id !== undefined || args.isOn('latest');
  if (!isChosen && !terminal.isInteractive)
    throw new UsageError(
      'Nobody can be asked which packet to resume.',
      'Give its id, or --latest for the last one of this project.',
    );
  const host = await openHost(context);
  const chosen = id ?? (args.isOn('latest') ? await findLatest(context, host) : (await pick(context, host))?.id);
  if (chosen === undefined) return EXIT.ok;
  const { renderResume, foldAncestors } = await import('../../server/packet-forms.ts');
  const team = args.text('team');
  const { packet } = await fetchPacket(host, chosen, team);
  const older = args.isOn('with-ancestors') ? (await fetchAncestors(host, chosen, team)).packets.slice(1) : [];
  return giveBlock(context, { text: renderResume(foldAncestors(packet, older)), id: chosen, copies: !isChosen });
}

/** Of the project named, or of the one around this folder. Where that has none, the last of all, but never another project's. */
async function findLatest({ args, terminal }: CommandContext, host: PacketHost): Promise<string> {
  const team = args.text('team');
  const project = args.text('project') ?? (await findProject()).name;
  const [own] = await list(host, { project, limit: '1', team });
  if (own !== undefined) return own.id;
  const [last] = args.text('project') === undefined ? await list(host, { limit: '1', team }) : [];
  const none = `There is no packet of the project "${project}".`;
  if (last === undefined) throw noPackets(none);
  const other = (await fetchPacket(host, last.id, team)).packet.project?.name;
  if (other !== undefined)
    throw new EngineError('not_found', none, {
      hint: `The last one of all is ${last.id}, of "${other}": \`ltm resume ${last.id}\`.`,
    });
  terminal.warn(`there is no packet of the project "${project}"; this is the last one, which names no project`);
  return last.id;
}

async function pick({ args, terminal }: CommandContext, host: PacketHost): Promise<Choice | null> {
  const choices = await list(host, { limit: '50', team: args.text('team'), project: args.text('project') });
  if (choices.length === 0) throw noPackets('There are no packets yet.');
  return pickPacket(choices, terminal);
}

async function list(host: PacketHost, filters: Record<string, string | undefined>): Promise<readonly Choice[]> {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return needList(
    (await callForJson<{ packets?: Choice[] }>(host, `/v1/packets?${new URLSearchParams(given)}`)).packets,
  );
}

function noPackets(message: string): EngineError {
  return new EngineError('not_found', message, { hint: 'Save one first: `ltm save`, or `ltm push FILE`.' });
}
