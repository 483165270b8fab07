import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { draftPacket } from './draft-packet.ts';
import { readPacketFile, sendPacket } from './send-packet.ts';
import { needPacketId } from './show-packets.ts';

/** With a file or a pipe the same as push; at a terminal, a draft to fill in. */
export async function save(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const [file] = args.words;
  if (file === undefined && terminal.isInteractive) return draftPacket(context);
  return sendPacket(context, await readPacketFile(file ?? '-', terminal.streams));
}

export async function push(context: CommandContext): Promise<number> {
  const [file] = context.args.words;
  if (file === undefined)
    throw new UsageError(
      '`ltm push` needs a file, or - for stdin.',
      '`ltm example > packet.json` writes one to start from.',
    );
  return sendPacket(context, await readPacketFile(file, context.terminal.streams));
}

export async function rm({ args, answer, client }: CommandContext): Promise<void> {
  const id = needPacketId(args, 'rm');
  await (await client({ team: args.text('team') })).deletePacket({ id });
  answer({ deleted: id }, `deleted ${safeLine(id)}`);
}

export async function publish({ args, terminal, answer, client, server }: CommandContext): Promise<void> {
  const id = needPacketId(args, 'publish');
  const published = await (await client({ team: args.text('team') })).publishPacket({ id });
  answer(published, safeLine(published.publicUrl ?? `published ${id}`));
  if ((await server()) === null) terminal.note('The page is available while `ltm serve` runs on this database.');
}

export async function unpublish({ args, answer, client }: CommandContext): Promise<void> {
  const id = needPacketId(args, 'unpublish');
  await (await client({ team: args.text('team') })).unpublishPacket({ id });
  answer({ unpublished: id }, `unpublished ${safeLine(id)}`);
}
