import type { CommandFlag } from './verb.ts';

export const TEAM: CommandFlag = {
  name: 'team',
  short: 't',
  value: 'NAME',
  description: 'Use this team’s space instead of your own.',
};
