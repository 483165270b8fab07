import { readFileSync } from 'node:fs';
import { type ForeignSettings, parseJson } from './imported.ts';

type Section = Readonly<Record<string, unknown>>;

/** What its `settings.json` says, in settings of ours. What would replace fewer secrets, spend money or take a port is told and left to the person. */
export function readLongmemSettings(file: string): ForeignSettings {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { settings: {}, told: [] }; // there is none
  }
  const content = parseJson(text);
  if (typeof content !== 'object' || content === null) return { settings: {}, told: [`${file} is not JSON.`] };
  const { privacy = {}, autoContext = {}, daemon = {}, compression = {} } = content as Record<string, Section>;
  const settings: Record<string, unknown> = {};
  const told: string[] = [];
  const take = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) settings[name] = value;
  };
  take('capture_exclude_tools', textsIn(privacy.excludeTools));
  take('capture_exclude_paths', textsIn(privacy.excludePaths));
  take('privacy_patterns', Array.isArray(privacy.customPatterns) ? privacy.customPatterns : undefined);
  take('context_max_entries', autoContext.enabled === false ? 0 : numberIn(autoContext.maxEntries));
  take('context_max_tokens', numberIn(autoContext.maxTokens));
  take('context_timeout_ms', numberIn(autoContext.timeoutMs));
  if (redactModeOf(privacy) === 'off')
    told.push('It replaced no secrets. ltm does; `ltm config set redact off` switches that off.');
  const port = numberIn(daemon.port);
  if (port !== undefined)
    told.push(`Its programs ask port ${port}: \`ltm config set observe_port ${port}\` answers there.`);
  if (typeof daemon.authToken === 'string' && daemon.authToken !== '')
    told.push('Its programs send a token of their own: give them one of ltm (`ltm token --show`).');
  if (compression.enabled === true)
    told.push('It asked a model for summaries. ltm needs none; summarizer_url names one (docs/sessions.md).');
  return { settings, told };
}

/** `safe` and `flexible` replace secrets, `none` does not; an unknown mode is safe, and without one `redactSecrets` decides. */
export function redactModeOf({ mode, redactSecrets }: Section): 'replace' | 'off' {
  if (mode === undefined || mode === null) return redactSecrets === false ? 'off' : 'replace';
  return mode === 'none' ? 'off' : 'replace';
}

function textsIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.trim() !== '') : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
