import { isOperator } from '../../../engine/authorize.ts';
import { EngineError } from '../../../model/errors.ts';
import { text } from '../../../verbs/field.ts';
import { type CallWith, defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

export function needOperator({ caller }: ServiceCall): void {
  if (!isOperator(caller)) throw new EngineError('forbidden', 'Only the owner of the server may see this.');
}

/** Where the service keeps its settings apart. */
const CATEGORIES: readonly [category: string, pattern: RegExp][] = [
  ['embedding', /^(embedder|previous_embedder)/],
  ['oauth', /^(oauth|external_url)/],
  ['http', /^(host|port|tls|allowed|trusted|max_|writes|reads|write_burst|event|workers|observe|mcp_)/],
  ['storage', /^(db|keep|index|flush|upkeep)/],
  ['search', /^(words|meaning|duplicate|on_duplicate)/],
  ['quality', /^quality/],
  ['security', /^(api_key|tokens_file|anonymous|redact|privacy|capture)/],
];

async function listSettings(call: ServiceCall): Promise<object> {
  needOperator(call);
  const categories: Record<string, object[]> = {};
  for (const { name, value, source, from, description, env } of call.ports.listSettings()) {
    const category = CATEGORIES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'general';
    categories[category] ??= [];
    categories[category].push({ key: env[0], name, value, type: typeof value, source, from, description });
  }
  return { categories };
}

const NO_CLOUDFLARE =
  'There is no Cloudflare backend here, so no credentials of it are kept: docs/memory-service.md says what takes its place.';

/** What a service answers that has no such backend. */
async function readCredentials(call: ServiceCall): Promise<object> {
  needOperator(call);
  return {
    api_token_partial: null,
    api_token_full: null,
    account_id: null,
    d1_database_id: null,
    vectorize_index: null,
    sync_owner: null,
    env_file_path: null,
    message: NO_CLOUDFLARE,
  };
}

const QUALITY = { settings: { type: 'json', isRequired: true } } as const;
const PROVIDERS: Readonly<Record<string, boolean>> = {
  none: false,
  local: false,
  auto: true,
  groq: true,
  gemini: true,
  openai: true,
  'openai-compatible': true,
  ollama: true,
};
const BOOST = '0.3';

/** In the settings file; a variable or flag that the server was started with still wins, and it is read at the next start. */
async function saveQuality(call: CallWith<{ body: typeof QUALITY }>): Promise<object> {
  needOperator(call);
  const given = Object.entries(call.body.settings);
  if (given.length === 0) throw problem(400, 'No settings to save');
  const saved = given.map(([key, value]): [name: string, value: string] => {
    const said = String(value).trim().toLowerCase();
    if (key === 'MCP_QUALITY_BOOST_ENABLED') {
      if (said !== 'true' && said !== 'false') throw problem(400, `${key} must be true or false`);
      return ['quality_boost', said === 'true' ? BOOST : '0'];
    }
    if (key !== 'MCP_QUALITY_AI_PROVIDER') throw problem(400, `Unsupported setting: ${key.slice(0, 60)}`);
    const isAsked = PROVIDERS[said];
    if (isAsked === undefined) throw problem(400, `${key} must be one of: ${Object.keys(PROVIDERS).join(', ')}`);
    if (isAsked && !isSet(call, 'summarizer_url'))
      throw problem(400, `The ${said} provider needs summarizer_url to be set first`);
    return ['quality_scorer', String(isAsked)];
  });
  for (const [name, value] of saved) call.ports.saveSetting(name, value);
  const overridden = saved.filter(([name]) => isFromOutside(call, name)).map(([name]) => name);
  const beside = overridden.length === 0 ? '' : ` The environment or a flag decides about ${overridden.join(', ')}.`;
  return {
    success: true,
    message: `Quality settings saved. They count when the server is started again.${beside}`,
    restart_scheduled: false,
  };
}

function isSet({ ports }: ServiceCall, wanted: string): boolean {
  return ports.listSettings().some(({ name, value }) => name === wanted && value !== null);
}

function isFromOutside({ ports }: ServiceCall, wanted: string): boolean {
  return ports
    .listSettings()
    .some(({ name, source }) => name === wanted && (source === 'environment' || source === 'flag'));
}

const TESTED = { api_token: text(undefined, { max: 1000 }), account_id: text(undefined, { max: 1000 }) };

export const CONFIG_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /config/env', needs: 'read', handle: listSettings }),
  defineRoute({ at: 'GET /config/credentials', needs: 'admin', handle: readCredentials, writes: false }),
  defineRoute({
    at: 'POST /config/credentials/test',
    needs: 'admin',
    body: TESTED,
    handle: async () => ({ valid: false, status: null, token_id: null, expires_on: null, error: NO_CLOUDFLARE }),
  }),
  defineRoute({
    at: 'POST /config/credentials',
    needs: 'admin',
    handle: async () => {
      throw problem(400, NO_CLOUDFLARE);
    },
  }),
  defineRoute({ at: 'POST /config/quality', needs: 'admin', body: QUALITY, handle: saveQuality }),
];
