import { request } from 'node:http';
import { Readable } from 'node:stream';

/** As `fetch`, but each request has a connection of its own: of several workers behind one port, the next one answers. */
export async function fetchAnew(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const asked = new Request(input, init);
  const body = asked.body === null ? null : Buffer.from(await asked.arrayBuffer());
  return new Promise((resolve, reject) => {
    const sent = request(
      asked.url,
      {
        method: asked.method,
        headers: { ...Object.fromEntries(asked.headers), ...(body !== null && { 'content-length': body.length }) },
        agent: false,
        signal: init.signal ?? undefined,
      },
      (answer) => {
        const headers = new Headers();
        for (let at = 0; at < answer.rawHeaders.length; at += 2)
          headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
        const status = answer.statusCode ?? 0;
        const isEmpty = [204, 205, 304].includes(status);
        if (isEmpty) answer.resume();
        resolve(new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers }));
      },
    );
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
