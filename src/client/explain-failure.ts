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
  const body = message.slice(message.indexOf('{'));
  if (!body.startsWith('{')) return null;
  try {
    const { detail, hint } = JSON.parse(body) as { detail?: unknown; hint?: unknown };
    return typeof detail === 'string' ? [detail, hint].filter((part) => typeof part === 'string').join(' ') : null;
  } catch {
    return null; // another server's words stay as they are
  }
}
