// One of two agents: `writer` asks and waits for an answer, `researcher` waits for a question and answers it. Run with the role, the address and the key.
const [role = '', url = '', key = ''] = process.argv.slice(2);
const headers = { 'X-API-Key': key, 'X-Agent-ID': role, 'Content-Type': 'application/json' };

async function send(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

interface Message {
  content: string;
}

async function inbox(): Promise<Message[]> {
  const { results } = await send('/api/search/by-tag', { tags: [`msg:${role}`] });
  return (results as { memory: Message }[]).map(({ memory }) => memory);
}

/** The first message for this agent: one that is there already, or the next that the events tell of. */
async function nextMessage(): Promise<Message> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the stream of events ended');
    unread += value;
    const events = unread.split('\n\n');
    unread = events.pop() ?? '';
    // looked at once the stream is open, so that nothing that comes in between is missed
    if (!events.some((event) => /^event: (connection_established|memory_stored)$/m.test(event))) continue;
    const [message] = await inbox();
    if (message === undefined) continue;
    leaving.abort();
    return message;
  }
}

if (role === 'writer') {
  await send('/api/memories', { content: 'Write about ferries: when do they leave?', tags: ['msg:researcher'] });
  console.log(`told: ${(await nextMessage()).content}`);
} else {
  console.log(`asked: ${(await nextMessage()).content}`);
  await send('/api/memories', { content: 'Ferries to Zanzibar leave at noon', tags: ['msg:writer'] });
}
