import type { Log } from '../../engine/ports.ts';
import type { Config } from '../../settings/config.ts';
import { systemClock } from '../../settings/system-clock.ts';
import type { Summarizer } from './summarizer-port.ts';

/** Null where nobody has named a service: then none is asked, and nothing is loaded for it. */
export async function openSummarizer(config: Config, log: Log): Promise<Summarizer | null> {
  if (config.summarizerUrl === null) return null;
  const { createOpenAiCompatibleSummarizer } = await import('./openai-compatible-summarizer.ts');
  return createOpenAiCompatibleSummarizer({
    url: config.summarizerUrl,
    model: config.summarizerModel,
    apiKey: config.summarizerKey,
    perMinute: config.summarizerPerMinute,
    timeoutMs: config.summarizerTimeoutSeconds * 1000,
    maxCalls: config.summarizerRetries + 1,
    clock: systemClock,
    log,
  });
}
