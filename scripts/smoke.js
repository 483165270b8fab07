// Installs the package as a stranger would, from its tarball into an empty folder, and uses every door once. Needs `npm run build` first.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { openTestBrowser } from '../test/oauth/test-browser.ts';

const root = dirname(import.meta.dirname);
const home = mkdtempSync(join(tmpdir(), 'ltm-smoke-'));
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home, LTM_DB: join(home, 'memory.db') };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } };
const children = new Set();

try {
  installPackage();
  useLibrary();
  useCommandLine();
  findByMeaning();
  await useStdio();
  await useHttp();
  testPackets();
  console.log('smoke: the installed package works');
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
}

function installPackage() {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', home], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  const tarball = join(home, packed.filename);
  console.log(
    `package: ${(statSync(tarball).size / 1024).toFixed(0)} kB packed, ${(packed.unpackedSize / 1024).toFixed(0)} kB unpacked, ${packed.files.length} files`,
  );
  assert.ok(
    packed.files.some(({ path }) => path === 'LICENSE'),
    'the licence is in the package',
  );
  assert.ok(!packed.files.some(({ path }) => path.startsWith('src/')), 'sources are not in the package');
  const model = packed.files.find(({ path }) => /^dist\/ltm-embed-v\d+\.bin$/.test(path));
  assert.ok(
    model !== undefined && model.size > 10_000_000 && model.size <= 12_000_000,
    'the model is in the package, and within its 12 MB',
  );
  for (const paper of ['MODEL_CARD.md', 'SOURCES.md', 'FORMAT.md'])
    assert.ok(
      packed.files.some(({ path }) => path === `dist/${paper}`),
      `${paper} is beside the model`,
    );
  assert.match(
    readFileSync(join(root, 'THIRD_PARTY_LICENSES.md'), 'utf8'),
    /544,000 .*under the GPL/,
    'it says what the model was trained on',
  );
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  const started = performance.now();
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
    cwd: home,
    stdio: 'inherit',
  });
  console.log(
    `install: ${((performance.now() - started) / 1000).toFixed(1)} s, of the package the model takes ${(model.size / 1e6).toFixed(1)} MB`,
  );
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/ltm'], 'the package brings no other package');
}

function useLibrary() {
  const script =
    "import { createEngine, openStore, VERSION } from 'ltm'; console.log(typeof createEngine, typeof openStore, VERSION);";
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: home, encoding: 'utf8' });
  assert.match(said, /^function function \d/);
}

function ltm(...words) {
  return execFileSync(join(home, 'node_modules', '.bin', 'ltm'), words, {
    env,
    encoding: 'utf8',
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function useCommandLine() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(ltm('--version').trim(), `ltm version ${version} (protocol 0.2)`);
  const stored = JSON.parse(ltm('store', 'Staging runs on port 8443', '--tags', 'infra', '--json'));
  const { id } = stored.memory;
  assert.equal(stored.outcome, 'stored');
  assert.equal(searchFor('which port does staging use'), id);
  assert.match(ltm('get', id), /Staging runs on port 8443/);
  ltm('delete', id);
  assert.equal(searchFor('staging port'), undefined);
  ltm('restore', id);
  assert.equal(searchFor('staging port'), id);
  console.log('command line: stored, found, deleted, restored');
}

/** In a store of its own, with nothing but what the package brought: question and answer share no word. */
function findByMeaning() {
  const own = { ...env, LTM_DB: join(home, 'meaning.db') };
  const run = (...words) =>
    JSON.parse(
      execFileSync(join(home, 'node_modules', '.bin', 'ltm'), [...words, '--json'], {
        env: own,
        encoding: 'utf8',
        cwd: home,
      }),
    );
  for (const text of [
    'Invoices go out on Fridays',
    'The garden needs water in summer',
    'Passwords expire after ninety days',
  ])
    run('store', text);
  const started = performance.now();
  const { hits, searched_by } = run('search', 'when do we bill our customers');
  assert.equal(searched_by, 'text+meaning');
  assert.match(hits[0].snippet, /Invoices/);
  assert.ok(
    hits[0].why.matched.includes('meaning') && !hits[0].why.matched.includes('words'),
    'found by meaning alone',
  );
  console.log(
    `meaning: found what shares no word, ${(performance.now() - started).toFixed(0)} ms from the start of the process`,
  );
}

function searchFor(query) {
  return JSON.parse(ltm('search', query, '--json')).hits[0]?.id;
}

function start(words) {
  const child = spawn(join(home, 'node_modules', '.bin', 'ltm'), words, {
    env,
    cwd: home,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function useStdio() {
  const child = start(['mcp']);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = JSON.parse((await lines.next()).value);
    assert.equal(answer.id, id);
    return answer.result;
  };
  assert.equal((await ask(1, 'initialize', INITIALIZE)).serverInfo.name, 'ltm');
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const { tools } = await ask(2, 'tools/list', {});
  const found = await ask(3, 'tools/call', { name: 'memory_search', arguments: { query: 'staging port' } });
  assert.match(JSON.stringify(found), /8443/);
  const exited = once(child, 'exit');
  child.stdin.end();
  assert.equal((await exited)[0], 0);
  console.log(`MCP over stdio: ${tools.length} tools, found the memory, ended with stdin`);
}

/** The runner that the package brings, against the server that the package is. */
function checkConformance(url, token) {
  const runner = join(home, 'node_modules', 'ltm', 'dist', 'conformance', 'run.js');
  const said = execFileSync(process.execPath, [runner, '--url', url, '--token', token, '--redaction'], {
    encoding: 'utf8',
  });
  console.log(`conformance: ${said.trim()}`);
}

/** What packets promise, asked of the installed program and not of the sources. */
function testPackets() {
  const files = globSync('test/e2e/{packets-*,server-setup}.test.ts', { cwd: root });
  const program = { LTM_PROGRAM: join(home, 'node_modules', 'ltm', 'bin', 'ltm.js') };
  execFileSync(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=dot', ...files], {
    cwd: root,
    env: { ...process.env, ...program },
    stdio: 'inherit',
  });
  console.log(`packets: ${files.length} files of tests passed on the installed program`);
}

async function useHttp() {
  const child = start(['serve', '--port', '0', '--json', '--log-level', 'warn']);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, mcp_url, token } = JSON.parse(line);
  const authorization = `Bearer ${token}`;
  assert.equal((await fetch(`${url}/api/v1/memories`)).status, 401);
  const listed = await fetch(`${url}/api/v1/memories`, { headers: { authorization } });
  assert.match(await listed.text(), /8443/);
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  const answer = await fetch(mcp_url, { method: 'POST', headers, body });
  assert.match(await answer.text(), /"name":"ltm"/);
  assert.equal(ltm('token', '--show').trim(), token);
  await useBrowser(url, token);
  checkConformance(url, token);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.equal((await exited)[0], 0);
  console.log('HTTP: REST and MCP answered with the token, refused without, stopped in order');
}

/** A program is let in with a browser, uses its token and its refresh token, and is put out when the old one comes again. */
async function useBrowser(url, ownerToken) {
  const redirect_uri = 'http://127.0.0.1:7777/callback';
  const post = async (path, init) => (await fetch(`${url}/oauth/${path}`, { method: 'POST', ...init })).json();
  const described = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirect_uri] }),
  };
  const { client_id } = await post('register', described);
  const verifier = 'smoke'.repeat(10);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge,
    code_challenge_method: 'S256',
  });
  const browser = openTestBrowser(url);
  const page = await browser.visit(`${url}/oauth/authorize?${query}`);
  const question = await browser.submit(page, { action: 'token', token: ownerToken });
  const landed = await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
  const code = new URL(landed.url).searchParams.get('code');
  const redeem = (fields) => post('token', { body: new URLSearchParams({ client_id, ...fields }) });
  const tokens = await redeem({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri });
  const read = async (token) =>
    (await fetch(`${url}/api/v1/memories`, { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal(await read(tokens.access_token), 200);
  const next = await redeem({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  assert.equal(await read(next.access_token), 200);
  assert.equal(
    (await redeem({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).error,
    'invalid_grant',
  );
  assert.equal(await read(next.access_token), 401);
  console.log('OAuth: a program was let in, refreshed its token, and was put out after a replay');
}
