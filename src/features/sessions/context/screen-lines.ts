import type { EngineSettings } from '../../../engine/engine-settings.ts';
import { screenOutgoing } from '../../../engine/records/screen-outgoing.ts';
import { isHighRisk } from '../../../privacy/high-risk.ts';
import type { ContextLine } from './context-line.ts';

export interface LineScreen {
  /** The text as it may be given to a model; null: the line is withheld. */
  screen(line: ContextLine): string | null;
  withheld(): number;
}

/** Secrets are replaced once more, line by line as they are needed; one made from what no screening may let pass is withheld as a whole. */
export function createLineScreen(settings: EngineSettings): LineScreen {
  let withheld = 0;
  return {
    screen({ source, text }) {
      const screened = isHighRisk(source) ? null : screenOutgoing(text, settings);
      if (screened === null) withheld++;
      return screened;
    },
    withheld: () => withheld,
  };
}
