import { after, optional, secret, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { httpUrl, integer, text } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = after('embedderFolder', {
  summarizerUrl: optional(httpUrl).about(
    'URL of an OpenAI-compatible chat service that summarises observations, such as http://localhost:11434/v1. Without it nothing is sent anywhere, and rules make the summaries.',
  ),
  summarizerModel: setting(text, 'llama3.1:8b').about('Model to request from the summarizer.'),
  summarizerKey: secret(text).about('Key for the summarizer.'),
  summarizerPerMinute: setting(integer(1, 1_000), 10).about('Maximum number of calls of the summarizer per minute.'),
  summarizerTimeoutSeconds: setting(integer(1, 600), 30).about('How long one call of the summarizer may take.'),
  summarizerRetries: setting(integer(0, 10), 2).about('How often a call that failed is repeated.'),
  summarizerDailyCalls: setting(integer(0, 1_000_000), 1000).about(
    'Maximum number of calls of the summarizer per day and person or team. 0 means unlimited.',
  ),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
