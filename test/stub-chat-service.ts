import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatService {
  url: string;
  /** The bodies that were sent, and with which key. */
  asked: { authorization: string | undefined; body: string }[];
  /** What the next answers are instead of a summary: a status, or a text that is none. */
  answers: (number | string)[];
  close(): void;
}

/** A chat service on this machine that gives every step the same summary, or what the test says. */
export async function startChatService(summary: object): Promise<ChatService> {
  const asked: ChatService['asked'] = [];
  const answers: ChatService['answers'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({ authorization: request.headers.authorization, body });
    const answer = answers.shift() ?? JSON.stringify(summary);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else {
      const usage = { prompt_tokens: 120, completion_tokens: 30 };
      response.end(JSON.stringify({ choices: [{ message: { content: answer } }], usage }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, asked, answers, close: () => void server.close().closeAllConnections() };
}
