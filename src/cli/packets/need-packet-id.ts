import type { Arguments } from '../read-arguments.ts';
import { UsageError } from '../usage-error.ts';

export function needPacketId({ words }: Arguments, command: string): string {
  const [id] = words;
  if (id === undefined) throw new UsageError(`\`ltm ${command}\` needs the id of a packet.`, '`ltm ls` shows ids.');
  return id;
}
