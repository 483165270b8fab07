import { createHash } from 'node:crypto';

/** Lines as Claude Code writes them: prompts, replies, and much that tools gave back; the same for the same seed. */
export function makeTranscript(lines: number, seed = 'a', start = Date.UTC(2026, 2, 5, 10)): string {
  let text = '';
  for (let i = 0; i < lines; i++) text += `${makeLine(i, seed, start)}\n`;
  return text;
}

function makeLine(i: number, seed: string, start: number): string {
  const noise = createHash('sha512').update(`${seed}${i}`).digest('base64');
  const timestamp = new Date(start + i * 1000).toISOString();
  const base = { uuid: `${seed}-${i}`, sessionId: `session-${seed}`, cwd: '/work/shop', timestamp };
  if (i % 10 === 0) {
    const content = i === 0 ? `Please fix the checkout of ${seed}` : `Question ${i} about topic${i}x of the basket`;
    return JSON.stringify({ type: 'user', ...base, message: { role: 'user', content } });
  }
  if (i % 10 === 1) {
    const content = [{ type: 'text', text: `Answer ${i}: the reason is module${i}y` }];
    return JSON.stringify({ type: 'assistant', ...base, message: { role: 'assistant', content } });
  }
  const output = `tool output ${i} ${noise.repeat(1 + (i % 7) * 6)}`;
  const content = [{ type: 'tool_result', tool_use_id: `t${i}`, content: output }];
  return JSON.stringify({ type: 'user', ...base, message: { role: 'user', content }, toolUseResult: true });
}
