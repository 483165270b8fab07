// node bench/load-generator.ts URL TOKEN: a process of its own, so that its work is not the server's. Reads lines of {path, bodies, connections, count} and answers each with {seconds, p50, p95}.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { median, quantile } from './report.ts';

const { hostname, port } = new URL(process.argv[2]!);
const token = process.argv[3]!;

interface Load {
  path: string;
  bodies: unknown[];
  connections: number;
  count: number;
}

function toRequest(path: string, body: unknown): Buffer {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-11-25',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Each connection sends its next request when its last one is answered. */
async function run({ path, bodies, connections, count }: Load) {
  const requests = bodies.map((body) => toRequest(path, body));
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(connections, count) }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const socket = connect(Number(port), hostname);
      let text = '';
      let sentAt = 0;
      const send = (): void => {
        if (next >= count) {
          socket.end();
          resolve();
          return;
        }
        text = '';
        sentAt = performance.now();
        socket.write(requests[next++ % requests.length]!);
      };
      socket.setNoDelay(true);
      socket.setEncoding('latin1');
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        text += chunk;
        if (!isWhole(text)) return;
        if (!text.startsWith('HTTP/1.1 2')) {
          reject(new Error(text.slice(0, 300)));
          return;
        }
        times.push(performance.now() - sentAt);
        send();
      });
      return promise;
    }),
  );
  return { seconds: (performance.now() - started) / 1000, p50: median(times), p95: quantile(times, 0.95) };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await run(JSON.parse(line) as Load)));
