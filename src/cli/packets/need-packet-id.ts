import type { Arguments } from '../read-arguments.ts';
import { UsageError } from '../usage-error.ts';

/** Dots alone are steps of a path and no ids, here as on a server. */
export function needPacketId({ words }: Arguments, command: string): string {
  const [id = ''] = words;
  if (/^\.{0,2}$/.test(id)) throw new UsageError(`\`ltm ${command}\` needs the id of a packet.`, '`ltm ls` shows ids.');
  return id;
}
