import type { CommandContext } from '../../../cli/command.ts';
import { tellDamaged } from '../../../cli/need-refs.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeJson, safeLine, safeText } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Client } from '../../../verbs/client.ts';
import type { ListPacketsInput } from '../find-packet.ts';
import {
  canonicalPacket,
  diffPackets,
  EXAMPLE_PACKET,
  foldAncestors,
  renderResume,
  renderShow,
} from '../packet-forms.ts';
import { needPacket } from '../verbs/get-packet.ts';
import { type ListedPacket, listPackets } from '../verbs/list-packets.ts';
import { findProject } from './find-project.ts';
import { giveBlock } from './give-block.ts';
import { pickPacket } from './pick-packet.ts';
import { needPacketId, showPackets } from './show-packets.ts';

/** Said aloud: a server of another make may have a default of its own. */
const DEFAULT_LIMIT = 50;

export async function ls({ args, terminal, json, client }: CommandContext): Promise<number> {
  const input = { limit: DEFAULT_LIMIT, ...readFlags<ListPacketsInput>(listPackets, args) };
  const { packets, cursor, damaged } = await (await client({ team: args.text('team') })).listPackets(input);
  if (json) {
    // byte for byte what `GET /v1/packets` answers
    const listed = packets.map(({ id, createdAt, goal }) => ({ created_at: createdAt, goal, id }));
    writeJson(JSON.stringify({ cursor: cursor ?? undefined, packets: listed }, null, 2), terminal);
    return tellDamaged(damaged, terminal);
  }
  showPackets(packets, terminal);
  if (packets.length === 0) terminal.note(describeNone(input));
  if (cursor !== null) terminal.note(`More with --cursor ${safeLine(cursor)}`);
  return tellDamaged(damaged, terminal);
}

function describeNone({ search, tag, project, minTrust, cursor }: ListPacketsInput): string {
  if ([search, tag, project, minTrust, cursor].every((given) => given === undefined))
    return 'There are no packets. `ltm save` creates the first one.';
  const others = search === undefined ? '' : `; \`ltm search ${JSON.stringify(search)}\` looks through memories too`;
  return safeLine(`No packet fits. \`ltm ls\` shows all of them${others}.`);
}

function writeJson(text: string, { streams, showsToPerson }: Terminal): void {
  streams.stdout.write(`${showsToPerson ? safeJson(text) : text}\n`);
}

export async function pull({ args, terminal, client }: CommandContext, command = 'pull'): Promise<void> {
  const id = needPacketId(args, command);
  writeJson((await (await client({ team: args.text('team') })).getPacket({ id })).canonical, terminal);
}

export async function show(context: CommandContext): Promise<void> {
  const { args, terminal, json, client } = context;
  if (json) return pull(context, 'show');
  const id = needPacketId(args, 'show');
  const { packet, canonical: _, ...facts } = await (await client({ team: args.text('team') })).getPacket({ id });
  terminal.streams.stdout.write(safeText(renderShow(needPacket(packet), facts)));
}

export async function log({ args, terminal, json, client }: CommandContext): Promise<void> {
  const id = needPacketId(args, 'log');
  const { trust: _, ...chain } = await (await client({ team: args.text('team') })).listAncestors({ id });
  if (json) return terminal.printJson(chain);
  showPackets(
    chain.packets.map((packet) => ({ ...packet, createdAt: packet.created_at })),
    terminal,
  );
  if (chain.missing !== null) terminal.note(`It continues ${safeLine(chain.missing)}, which is not on this server.`);
  if (chain.circular) terminal.note('The chain is circular; each packet is shown once.');
}

export async function diff({ args, terminal, json, client }: CommandContext): Promise<void> {
  const [before, after] = args.words;
  if (before === undefined || after === undefined)
    throw new UsageError('`ltm diff` needs the ids of two packets.', '`ltm log ID` shows a chain of them.');
  const { getPacket } = await client({ team: args.text('team') });
  const [old, now] = await Promise.all([getPacket({ id: before }), getPacket({ id: after })]);
  const differences = diffPackets(needPacket(old.packet), needPacket(now.packet));
  const { print, paint } = terminal;
  if (json) return terminal.printJson(differences);
  for (const { field, removed, added } of differences) {
    print(paint('bold', field));
    for (const item of removed) print(paint('red', `- ${safeLine(item)}`));
    for (const item of added) print(paint('green', `+ ${safeLine(item)}`));
  }
  if (differences.length === 0) terminal.note('They say the same.');
}

export async function example(context: CommandContext): Promise<void> {
  if (context.args.isOn('resume'))
    await giveBlock(context, { text: renderResume(EXAMPLE_PACKET), id: EXAMPLE_PACKET.id, copies: true });
  else context.terminal.print(canonicalPacket(EXAMPLE_PACKET));
}

export async function resume(context: CommandContext): Promise<void> {
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
  if (chosen === undefined) return;
  const { packet: given, ...facts } = await client.getPacket({ id: chosen });
  const packet = needPacket(given);
  const chain = args.isOn('with-ancestors') ? await client.listAncestors({ id: chosen }) : null;
  const { trust = facts.trust } = chain ?? {};
  const { source } = facts;
  const origin = trust === undefined || source === undefined ? undefined : { trust, source };
  const text = renderResume(foldAncestors(packet, chain?.packets.slice(1) ?? []), origin);
  await giveBlock(context, { text, id: chosen, copies: !isChosen });
}

/** Of the project named, or of the one around this folder; an untrusted one only by its id. Where that has none, the last of all, but never another project's. */
async function findLatest({ args, terminal }: CommandContext, client: Client): Promise<string> {
  const project = args.text('project') ?? (await findProject()).name;
  const [own] = (await client.listPackets({ project, limit: 1, minTrust: 'agent' })).packets;
  if (own !== undefined) return own.id;
  const [last] =
    args.text('project') === undefined ? (await client.listPackets({ limit: 1, minTrust: 'agent' })).packets : [];
  const none = `There is no packet for the project "${project}".`;
  if (last === undefined) throw noPackets(none);
  const other = needPacket((await client.getPacket({ id: last.id })).packet).project?.name;
  if (other !== undefined)
    throw new EngineError('not_found', none, {
      hint: `The latest packet is ${last.id}, of "${other}": \`ltm resume ${last.id}\`.`,
    });
  terminal.warn(`there is no packet of the project "${project}"; this is the latest packet, which has no project`);
  return last.id;
}

async function pick({ args, terminal }: CommandContext, client: Client): Promise<ListedPacket | null> {
  const { packets } = await client.listPackets({ limit: 50, project: args.text('project') });
  if (packets.length === 0) throw noPackets('There are no packets yet.');
  return pickPacket(packets, terminal);
}

function noPackets(message: string): EngineError {
  return new EngineError('not_found', message, {
    hint: 'Save one first: `ltm save`, or `ltm push FILE`. An untrusted one is resumed by its id alone.',
  });
}
