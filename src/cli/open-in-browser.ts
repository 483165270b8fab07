import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = { darwin: ['open'], win32: ['explorer.exe'] };

/** Tries to; the address has been printed, so nothing is lost when there is no browser. Only web addresses, and never through a shell. */
export function openInBrowser(address: string): void {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => child.removeAllListeners());
  child.unref();
}
