// For a Node that is too old, and kept to what Node 12 can read: a clone brings one of its own, which then runs the same script.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const NEEDED = '22.22.3, 24.15, 25.9 or newer';

/** False where there is no other Node. */
export function handOver(script) {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  // On Windows that is a script for a shell, which cannot be started without one.
  if (process.platform === 'win32' || !existsSync(node)) return false;
  const child = spawn(node, [script].concat(process.argv.slice(2)), { stdio: 'inherit' });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => {
    process.on(signal, () => child.kill(signal));
  });
  child.on('error', (error) => {
    process.stderr.write(`ltm: ${node} does not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return true;
}
