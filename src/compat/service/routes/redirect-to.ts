import { API_PATH } from '../../../rest/rest-env.ts';

/** The document of this server is that of its own API. */
export function redirectTo(path: string): () => Promise<Response> {
  return async () => new Response(null, { status: 302, headers: { Location: `${API_PATH}${path}` } });
}
