import { isHighRisk } from '../../../privacy/high-risk.ts';
import { redactTexts } from '../../../privacy/redact-texts.ts';
import type { ContextLine } from './context-line.ts';

/** Lines as they may be given to a model: secrets replaced once more; one made from what no screening may let pass is withheld as a whole. */
export function screenLines(lines: readonly ContextLine[]): { lines: ContextLine[]; withheld: number } {
  const safe = lines.filter(({ source, text }) => !isHighRisk(source) && !isHighRisk(text));
  const screened = safe.map((line) => ({ ...line, text: redactTexts(line.text, 'line').value }));
  return { lines: screened, withheld: lines.length - safe.length };
}
