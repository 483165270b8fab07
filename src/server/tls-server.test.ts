import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { engineError, makeFolder, silentLog } from '../../test/open-test-engine.ts';
import { loadConfig } from '../features/config.ts';
import { startServer } from './start-server.ts';

const OPENSSL = 'openssl';
const lacksOpenssl = spawnSync(OPENSSL, ['version']).status !== 0 && 'openssl is not installed';

function makeCertificate(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ];
  execFileSync(OPENSSL, made, { stdio: 'ignore' });
  return { cert, key };
}

test('serves HTTPS with a certificate and key of the operator, and says so to browsers', {
  skip: lacksOpenssl,
}, async (t) => {
  const folder = makeFolder();
  const { cert, key } = makeCertificate(folder);
  const flags = { db: join(folder, 'memory.db'), port: '0', 'tls-cert': cert, 'tls-key': key };
  const server = await startServer(loadConfig({ flags, env: {}, file: join(folder, 'config.json') }), silentLog);
  t.after(() => server.close());
  assert.match(server.url, /^https:/);
  const { status, hsts } = await new Promise<{ status: number; hsts: unknown }>((resolve, reject) => {
    const call = request(`${server.url}/health`, { rejectUnauthorized: false }, (answer) => {
      resolve({ status: answer.statusCode ?? 0, hsts: answer.headers['strict-transport-security'] });
      answer.resume();
    });
    call.once('error', reject).end();
  });
  assert.equal(status, 200);
  assert.match(String(hsts), /max-age/);
});

test('a certificate that cannot be used stops the start', async () => {
  const folder = makeFolder();
  const sources = (flags: Record<string, string>) => ({
    flags: { db: join(folder, 'memory.db'), port: '0', ...flags },
    env: {},
    file: join(folder, 'config.json'),
  });
  await assert.rejects(
    startServer(loadConfig(sources({ 'tls-cert': '/no/cert', 'tls-key': '/no/key' })), silentLog),
    engineError('invalid_input', /cannot be used/),
  );
  assert.equal(existsSync(join(folder, 'memory.db')), false, 'nothing is left behind');
  assert.throws(() => loadConfig(sources({ 'tls-cert': '/no/cert' })), engineError('invalid_input', /go together/));
});
