import { isObject, parseJson } from '../model/json-text.ts';

const MAX_CHARS = 500;

/** In words for whoever reads the agent's log: what the server said of itself, or that it says nothing. */
export function explainFailure(error: unknown, url: URL): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message))
    return `${url.origin} does not answer. Is the server running, and the network there?`;
  return (readProblem(message) ?? message).slice(0, MAX_CHARS);
}

/** The SDK repeats the body of the answer inside its message; ours is a JSON object with `detail` and `hint`. */
function readProblem(message: string): string | null {
  const body = parseJson(message.slice(message.indexOf('{')));
  if (!isObject(body) || typeof body.detail !== 'string') return null;
  return [body.detail, body.hint].filter((said) => typeof said === 'string').join(' ');
}
