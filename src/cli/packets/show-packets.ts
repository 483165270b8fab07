import type { ListedPacket } from '../../verbs/packets/list-packets.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { cutGoal } from './cut-goal.ts';
import { showColumns } from './show-columns.ts';

const GOAL_CHARS = 72;

export function showPackets(packets: readonly ListedPacket[], terminal: Terminal): void {
  const rows = packets.map(({ id, createdAt, goal }) => [safeLine(id), safeLine(createdAt), cutGoal(goal, GOAL_CHARS)]);
  showColumns([['ID', 'CREATED', 'GOAL'], ...rows], terminal);
}
