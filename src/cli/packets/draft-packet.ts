import { writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { readClientConfig } from '../../client/client-config.ts';
import { newPacketId } from '../../model/ids.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { LATEST_PACKET_VERSION, type Packet } from '../../model/packet.ts';
import type { CommandContext } from '../command.ts';
import { editText } from '../edit-text.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { ask } from './ask.ts';
import { callForJson, needList } from './call-host.ts';
import { findProject } from './find-project.ts';
import { openHost } from './open-host.ts';
import { readAllowed, sendPacket } from './send-packet.ts';

/** Opens a template in the editor, shows what came of it, and asks before anything is sent. */
export async function draftPacket(context: CommandContext): Promise<number> {
  const { terminal, env } = context;
  const { inspectPacket, renderShow } = await import('../../server/packet-forms.ts');
  let text = `${JSON.stringify(await makeTemplate(context), null, 2)}\n`;
  for (;;) {
    text = await editText(text, env, { fileName: 'packet.json' });
    const { packet, problem } = inspectPacket(Buffer.from(text), readAllowed(context.args));
    if (packet !== null) {
      terminal.note(safeText(renderShow(packet)));
      break;
    }
    for (const line of (problem ?? '').split('\n')) terminal.warn(safeLine(line));
    if (!(await ask('Edit it again?', terminal))) return keepDraft(context, text);
  }
  const { host } = await openHost(context);
  if (!(await ask(`Save this packet ${host === null ? 'in the database of this machine' : `on ${host}`}?`, terminal)))
    return keepDraft(context, text);
  const code = await sendPacket(context, new TextEncoder().encode(text));
  return code === EXIT.ok ? code : keepDraft(context, text, code);
}

/** Goes on from the last packet of this project. Empty fields are left out when the packet is stored. */
async function makeTemplate(context: CommandContext): Promise<Packet> {
  const now = Date.now();
  const project = await findProject();
  const query = new URLSearchParams({ limit: '1', project: project.name });
  const team = context.args.text('team');
  if (team !== undefined) query.set('team', team);
  const answer = await callForJson<{ packets?: { id: string; goal: string }[] }>(
    await openHost(context),
    `/v1/packets?${query}`,
  );
  const [last] = needList(answer.packets);
  const { user = userInfo().username } = await readClientConfig(context.env);
  return {
    ltm_version: LATEST_PACKET_VERSION,
    id: newPacketId(now),
    ...(last !== undefined && { parent_id: last.id }),
    created_at: toIsoSeconds(now),
    project: { name: project.name, ref: project.ref ?? '' },
    goal: last?.goal ?? '',
    success_criteria: [],
    constraints: [],
    decisions: [],
    methods: [],
    attempts: [],
    open_questions: [],
    next_step: '',
    tags: [],
    provenance: { author_human: String(user) },
  };
}

async function keepDraft({ terminal }: CommandContext, text: string, code: number = EXIT.refused): Promise<number> {
  const file = join(tmpdir(), `ltm-draft-${newPacketId(Date.now())}.json`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  terminal.note(`Nothing was sent. The draft is in ${file}; \`ltm save ${file}\` sends it.`);
  return code;
}
