import type { Log } from '../../engine/ports.ts';
import type { Config } from '../../settings/config.ts';
import { systemClock } from '../../settings/system-clock.ts';
import { createOpenAiCompatibleSummarizer } from './openai-compatible-summarizer.ts';
import type { Summarizer } from './summarizer-port.ts';

/** Where nobody has named a service, none is asked, and nothing is loaded for it. */
export function openSummarizer(config: Config, log: Log): Summarizer {
  return createOpenAiCompatibleSummarizer({
    url: config.summarizerUrl!,
    model: config.summarizerModel,
    apiKey: config.summarizerKey,
    perMinute: config.summarizerPerMinute,
    timeoutMs: config.summarizerTimeoutSeconds * 1000,
    maxCalls: config.summarizerRetries + 1,
    clock: systemClock,
    log,
  });
}
