import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './make-certificate.ts';

export interface DocumentServer {
  url: string;
  /** How often anybody has connected, whether or not they asked for something. */
  connections(): number;
  close(): Promise<void>;
}

/** Answers https on this machine; `answer` gets the path. */
export async function serveDocument(
  answer: (path: string, response: ServerResponse, url: string) => void,
): Promise<DocumentServer> {
  let connections = 0;
  const server = createServer(makeCertificate(), (request: IncomingMessage, response) =>
    answer(request.url ?? '/', response, url),
  );
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function sendDocument(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
