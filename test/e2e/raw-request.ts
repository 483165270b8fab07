import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** By lower-case name; the last of several. */
  headers: Record<string, string>;
  body: string;
}

/** Sends these bytes as they are and gives what comes back first, without waiting for a request to be whole. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let got = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      got += part;
      const answer = readAnswer(got);
      if (answer === null) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection was closed after: ${got.slice(0, 200)}`)));
  });
}

/** null: not all of it is there yet. */
function readAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  const length = headers['content-length'];
  const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : Buffer.byteLength(body) >= Number(length);
  return isWhole ? { status: Number(first.split(' ')[1]), headers, body } : null;
}
