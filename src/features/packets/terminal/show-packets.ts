import type { Arguments } from '../../../cli/read-arguments.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { ListedPacket } from '../verbs/list-packets.ts';

const GOAL_CHARS = 72;

export function showPackets(packets: readonly ListedPacket[], terminal: Terminal): void {
  const rows = packets.map(({ id, createdAt, goal }) => [safeLine(id), safeLine(createdAt), cutGoal(goal, GOAL_CHARS)]);
  showTable([['ID', 'CREATED', 'GOAL'], ...rows], terminal, { isPlain: true });
}

/** One line of at most so many characters as people count them: none is cut in two. */
export function cutGoal(goal: string, most: number): string {
  const line = safeLine(goal);
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= most ? line : `${characters.slice(0, most).join('')}…`;
}

/** Dots alone are steps of a path and no ids, here as on a server. */
export function needPacketId({ words }: Arguments, command: string): string {
  const [id = ''] = words;
  if (/^\.{0,2}$/.test(id)) throw new UsageError(`\`ltm ${command}\` needs the id of a packet.`, '`ltm ls` shows ids.');
  return id;
}
