import { text } from '../../../verbs/field.ts';
import type { CommandFlag, CommandOffer } from '../../../verbs/verb.ts';

export const packetId = text('The id of a packet.', { min: 1, max: 200, isRequired: true });

export const TEAM: CommandFlag = {
  name: 'team',
  short: 't',
  value: 'NAME',
  description: 'Use this team’s space instead of your own.',
};
export const WHERE =
  'Packets are stored on the server you signed in to with `ltm auth`, or else in the local database.';

/** A command about one packet. */
export function packetCommand(name: string, summary: string, more: Partial<CommandOffer> = {}): CommandOffer {
  const examples = [`ltm ${name} 01KA3V7Q2M8XWZ5T9B4CDEFGHJ`];
  return { name, summary, usage: 'ID', flags: [], own: [TEAM], maxWords: 1, examples, ...more };
}
