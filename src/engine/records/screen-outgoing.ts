import { type CustomPattern, readCustomPatterns, replaceCustom } from '../../privacy/custom-patterns.ts';
import { isHighRisk } from '../../privacy/high-risk.ts';
import { redactTexts } from '../../privacy/redact-texts.ts';
import type { EngineSettings } from '../engine-settings.ts';

const compiled = new WeakMap<readonly unknown[], readonly CustomPattern[]>();

/**
 * A text that is about to be given to a model without anybody having asked for it, screened once more whatever was done when it was stored. Null: it holds what
 * no screening may let pass.
 */
export function screenOutgoing(
  text: string,
  { privacyPatterns }: Pick<EngineSettings, 'privacyPatterns'>,
): string | null {
  if (isHighRisk(text)) return null;
  const patterns = compiled.get(privacyPatterns) ?? readCustomPatterns(privacyPatterns).patterns;
  compiled.set(privacyPatterns, patterns);
  const { text: screened, isTooSlow } = replaceCustom(redactTexts(text, 'text').value, patterns);
  return isTooSlow || isHighRisk(screened) ? null : screened;
}
