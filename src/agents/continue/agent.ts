import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { continueBlock } from '../agent-entries.ts';
import { ownFile } from '../edits/file-edit.ts';

export const continueDev: Agent = {
  name: 'continue',
  title: 'Continue',
  isDesktop: true,
  signs: (place) => [join(place.home, '.continue')],
  hasHooks: false,
  edits: (place, wiring) => [ownFile(join(place.home, '.continue', 'mcpServers', 'ltm.yaml'), continueBlock(wiring))],
  wants: ['Continue uses servers in agent mode only.'],
};
