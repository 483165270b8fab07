/** One piece of work of a coding agent with its person: what happened in its session, and what somebody will want to know of it later. */
export interface Story {
  part: string;
  file: string;
  /** What the person asks first. */
  asked: string;
  /** A test or command that fails, what it says, and the line that mends it. */
  bug?: { command: string; fails: string; passes: string; fix: readonly [old: string, next: string] };
  /** What the agent says at the end of its turns, in order. */
  replies: readonly string[];
  /** What the person asks to be remembered. */
  remembered?: string;
  /** What must stand in the block for the next session to go on. */
  resume?: readonly RegExp[];
  /** Later prompts about it in other words, each with what must stand in the block. */
  probes: readonly { prompt: string; needs: readonly RegExp[]; sort: Sort }[];
}

export type Sort = 'decided' | 'failed' | 'fixed' | 'open' | 'rule';

export function nodeTests(passed: number, failing: readonly string[], error = ''): string {
  const names = failing.map((name) => `✖ ${name} (3.1ms)`).join('\n');
  const summary = `ℹ tests ${passed + failing.length}\nℹ pass ${passed}\nℹ fail ${failing.length}`;
  return `${names}\n${summary}\n${failing.length > 0 ? `✖ failing tests:\n${names}\n  ${error}` : ''}`;
}

export function pytest(passed: number, failing: readonly string[], error = ''): string {
  const names = failing.map((name) => `FAILED ${name} - ${error}`).join('\n');
  const counts = failing.length > 0 ? `${failing.length} failed, ${passed} passed` : `${passed} passed`;
  return `${error === '' ? '' : `E   ${error}\n`}${names}\n===== ${counts} in 1.02s =====`;
}
