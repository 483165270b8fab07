import { isHighRisk } from '../../../privacy/high-risk.ts';
import type { EngineSettings } from '../../engine-parts.ts';
import { screenOutgoing } from '../../records/screen-outgoing.ts';
import type { ContextLine } from './context-line.ts';

/** Lines as they may be given to a model: secrets replaced once more; one made from what no screening may let pass is withheld as a whole. */
export function screenLines(
  lines: readonly ContextLine[],
  settings: EngineSettings,
): { lines: ContextLine[]; withheld: number } {
  const screened = lines.flatMap((line) => {
    const text = isHighRisk(line.source) ? null : screenOutgoing(line.text, settings);
    return text === null ? [] : [{ ...line, text }];
  });
  return { lines: screened, withheld: lines.length - screened.length };
}
