import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openOAuthTest, PASSWORD } from '../oauth/open-oauth-test.ts';

export interface AuthorizationReport {
  passed: number;
  failed: number;
  output: string;
}

/** Runs the suite's part for authorization servers against the product; the person at the browser is played here. */
export async function checkAuthorization(suite: string, folder: string): Promise<AuthorizationReport> {
  const oauth = await openOAuthTest();
  try {
    const port = await findFreePort();
    const { client_id } = await oauth.register({ redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const options = [
      '--url',
      oauth.url,
      '--client-id',
      client_id,
      '--resource',
      `${oauth.url}/mcp`,
      '-p',
      String(port),
    ];
    const child = spawn(process.execPath, [suite, 'authorization', ...options], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let isAnswered = false;
    const answer = async (url: string): Promise<void> => {
      isAnswered = true;
      const browser = oauth.browser();
      const page = await browser.visit(url);
      const question = await browser.submit(page, { action: 'password', login: 'ada', password: PASSWORD });
      const { url: landed } = await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
      await (await fetch(landed)).text();
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const url = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0];
        if (url !== undefined && !isAnswered) answer(url).catch((error: unknown) => (output += String(error)));
      });
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
    const [, summary = ''] = output.split('=== SUMMARY ===');
    const sum = (what: string): number =>
      [...summary.matchAll(new RegExp(`^[✓✗].*?(\\d+) ${what}`, 'gm'))].reduce(
        (total, match) => total + Number(match[1]),
        0,
      );
    return { passed: sum('passed'), failed: sum('failed'), output };
  } finally {
    await oauth.close();
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
