import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../oauth/make-certificate.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const PROGRAMS = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' };
const START_LIMIT_MS = 300_000;

export type ProxyName = keyof typeof PROGRAMS;

/** Why the tests that need it are skipped; false where it is installed. */
export function missingProxy(name: ProxyName): string | false {
  return existsSync(PROGRAMS[name])
    ? false
    : `${name} is not installed here; scripts/install-test-tools.sh installs it.`;
}

/** The file of deploy/ in a process of its own; of what is in it only addresses, ports and certificates are other ones. */
export async function startRealProxy(
  name: ProxyName,
  port: number,
  nodes: readonly string[],
): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), `ltm-${name}-`));
  const hosts = nodes.map((url) => new URL(url).host);
  const child = name === 'nginx' ? startNginx(folder, port, hosts) : startCaddy(folder, port, hosts);
  let log = '';
  child.stderr!.on('data', (chunk) => (log = `${log}${chunk}`.slice(-8000)));
  try {
    await waitFor(`https://localhost:${port}/health`, () => child.exitCode !== null);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${name} does not answer: ${log}`, { cause: error });
  }
  return {
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startNginx(folder: string, port: number, hosts: readonly string[]): ChildProcess {
  const { cert, key } = makeCertificate();
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  const given = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8');
  const inside = given
    .replaceAll(/server 10\.0\.0\.1([12]):8000/g, (_, which) => `server ${hosts[which - 1]}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('server_name memory.example.org', 'server_name localhost')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key.pem')};`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${join(folder, one)};`,
  );
  const outside = `user root; daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr warn;\nevents {}\n`;
  writeFileSync(join(folder, 'nginx.conf'), `${outside}http {\naccess_log off;\n${folders.join('\n')}\n${inside}\n}\n`);
  return spawn(PROGRAMS.nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function startCaddy(folder: string, port: number, hosts: readonly string[]): ChildProcess {
  // Instead of a name with several addresses, which a test has no right to make.
  const inside = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8')
    .replace(/dynamic a [^}]*}[^}]*\n\t\t}/, `to ${hosts.join(' ')}`)
    .replace('# request_buffers 2MB', chooseBuffering());
  const outside = `{\n\tskip_install_trust\n\tadmin off\n\tgrace_period 1s\n\thttps_port ${port}\n\tauto_https disable_redirects\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), outside + inside);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    LTM_DOMAIN: 'localhost',
  };
  return spawn(PROGRAMS.caddy, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** As the file itself says, for versions that need it. */
function chooseBuffering(): string {
  const [, minor = 0, patch = 0] =
    /v?2\.(\d+)\.(\d+)/.exec(execFileSync(PROGRAMS.caddy, ['version'], { encoding: 'utf8' }))?.map(Number) ?? [];
  if (minor < 7) return 'buffer_requests #';
  return minor < 11 || (minor === 11 && patch < 2) ? 'request_buffers 2MB #' : '#';
}

async function waitFor(url: string, hasEnded: () => boolean): Promise<void> {
  for (const limit = performance.now() + START_LIMIT_MS; ; await sleep(50)) {
    if (hasEnded() || performance.now() > limit) throw new Error('It has ended, or takes too long.');
    const isThere = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isThere) return;
  }
}
