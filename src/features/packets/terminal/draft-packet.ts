import { writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ask } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { editText } from '../../../cli/edit-text.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine, safeText } from '../../../cli/safe-text.ts';
import type { Instant } from '../../../model/ids.ts';
import { newPacketId, timeOfPacketId } from '../../../model/ids.ts';
import { toIsoSeconds } from '../../../model/instant.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import type { Client } from '../../../verbs/client.ts';
import { LATEST_PACKET_VERSION, type Packet, type PacketDecision } from '../packet.ts';
import { inspectPacket, renderShow } from '../packet-forms.ts';
import { findProject } from './find-project.ts';
import { readAllowed, sendPacket } from './send-packet.ts';

/** Opens a template in the editor, shows what came of it, and asks before anything is sent. */
export async function draftPacket(context: CommandContext): Promise<number> {
  const { terminal } = context;
  let text = `${JSON.stringify(await makeTemplate(context), null, 2)}\n`;
  for (;;) {
    text = await editText(text, context, { fileName: 'packet.json' });
    const { packet, problem } = inspectPacket(Buffer.from(text), readAllowed(context.args));
    if (packet !== null) {
      terminal.note(safeText(renderShow(packet)));
      break;
    }
    for (const line of (problem ?? '').split('\n')) terminal.warn(safeLine(line));
    if (!(await ask('Edit it again?', terminal))) return keepDraft(context, text);
  }
  const server = await context.server();
  if (
    !(await ask(`Save this packet ${server === null ? 'in the database of this machine' : `on ${server}`}?`, terminal))
  )
    return keepDraft(context, text);
  const code = await sendPacket(context, new TextEncoder().encode(text));
  return code === EXIT.ok ? code : keepDraft(context, text, code);
}

/**
 * Goes on from the last packet of this project, with what the latest session in it came to, if one was recorded since. Empty fields are left out when
 * the packet is stored.
 */
async function makeTemplate({ args, sources, client }: CommandContext): Promise<Packet> {
  const now = Date.now();
  const project = await findProject();
  const { listPackets } = await client({ team: args.text('team') });
  const [last] = (await listPackets({ project: project.name, limit: 1 })).packets;
  const session = await findSession(await client(), project.name, last === undefined ? null : timeOfPacketId(last.id));
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
    ...(session !== null && draftOf(session, last?.goal)),
    provenance: {
      author_human: loadConfigOnce(sources).user ?? userInfo().username,
      ...(session?.agent != null && { author_model: session.agent }),
    },
  };
}

/** What a draft takes from a session. */
interface Session {
  agent: string | null;
  title: string;
  lastAt: Instant;
  digest: Record<'asked' | 'next', string> & Record<'done' | 'decided' | 'failed' | 'open', readonly string[]>;
}

/** Without the feature that captures sessions there is none to draft from. */
interface Sessions extends Pick<Client, 'listPackets'> {
  listSessions?(input: { project: string; limit: number }): Promise<{ sessions: readonly Session[] }>;
}

/** The latest one of the project that went on after the last packet. */
async function findSession({ listSessions }: Sessions, project: string, since: number | null): Promise<Session | null> {
  const [latest] = (await listSessions?.({ project, limit: 1 }))?.sessions ?? [];
  return latest === undefined || (since !== null && latest.lastAt <= since) ? null : latest;
}

/** A decision often says itself why it was made. */
function splitReason(said: string): PacketDecision {
  const [, what, why] =
    /^(.+?),?\s+(?:because|since|weil|da|parce que|car|porque|ya que|pois)\s+(.+)$/iu.exec(said) ?? [];
  return what === undefined || why === undefined ? { what: said, why: 'decided in the session' } : { what, why };
}

function draftOf({ digest, title }: Session, goal = ''): Partial<Packet> {
  const { asked, done, decided, failed, open, next } = digest;
  return {
    goal: goal || asked || title,
    decisions: decided.map(splitReason),
    attempts: [
      ...done.map((tried) => ({ tried, outcome: 'succeeded' as const })),
      ...failed.map((tried) => ({ tried, outcome: 'failed' as const })),
    ],
    open_questions: [...open],
    next_step: next,
  };
}

async function keepDraft({ terminal }: CommandContext, text: string, code: number = EXIT.refused): Promise<number> {
  const file = join(tmpdir(), `ltm-draft-${newPacketId(Date.now())}.json`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  terminal.note(`Nothing was sent. The draft is in ${file}; \`ltm save ${file}\` sends it.`);
  return code;
}
