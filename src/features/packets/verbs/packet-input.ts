import { text } from '../../../verbs/field.ts';
import { TEAM } from '../../../verbs/team-flag.ts';
import type { CommandOffer } from '../../../verbs/verb.ts';

export const packetId = text('The id of a packet.', { min: 1, max: 200, isRequired: true });

export const WHERE =
  'Packets are stored on the server you signed in to with `ltm auth`, or else in the local database.';

/** A command about one packet. */
export function packetCommand(name: string, summary: string, more: Partial<CommandOffer> = {}): CommandOffer {
  const examples = [`ltm ${name} 01KA3V7Q2M8XWZ5T9B4CDEFGHJ`];
  return { name, summary, usage: 'ID', flags: [], own: [TEAM], maxWords: 1, examples, ...more };
}
