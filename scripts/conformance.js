// Runs the MCP conformance suite in both requirement sets: against the suite's fixtures behind the product's HTTP handler, and, for the scenarios that need
// no fixtures, against the product's own server; and its part for authorization servers. Usage: node scripts/conformance.js [path of the suite's dist/index.js]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAuthorization } from '../test/conformance/check-authorization.ts';
import { serveFixtures } from '../test/conformance/serve-fixtures.ts';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** What the product's own server must pass as it is. */
const WITHOUT_FIXTURES = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ],
};

const suite = process.argv[2] ?? findSuite();
const folder = mkdtempSync(join(tmpdir(), 'ltm-conformance-'));
const server = await serveFixtures();
let isGreen = true;
try {
  for (const revision of REVISIONS) {
    report(`fixtures, ${revision}`, await runSuite(server.fixtures, revision));
    report(`product, ${revision}`, await runSuite(server.product, revision), WITHOUT_FIXTURES[revision]);
  }
  reportAuthorization(await checkAuthorization(suite, folder));
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGreen ? 0 : 1;

/** The suite is no dependency of the project: it brings a hundred packages. It is installed once into a folder that git ignores. */
function findSuite() {
  const place = join(import.meta.dirname, '..', '.scratch', 'conformance');
  const entry = join(place, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  if (existsSync(entry)) return entry;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const { status } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', SUITE], {
    cwd: place,
    stdio: 'inherit',
  });
  if (status === 0) return entry;
  console.error(`${SUITE} could not be installed; give the path of its dist/index.js as an argument.`);
  process.exit(2);
}

function runSuite(url, revision) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, 'server', '--url', url, '--requirements', revision], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(readSummary(output)));
  });
}

/** The suite's own summary: one line for each scenario, then those that do not count for the revision. */
function readSummary(output) {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [scored, unscored = ''] = summary.split(/^Not scored/m);
  const unscoredNames = new Set([...unscored.matchAll(/^\s+[✓✗] ([\w-]+) \(/gm)].map((match) => match[1]));
  const scenarios = [...scored.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
    ([, mark, name, passed, failed]) => ({
      name,
      isPassed: mark === '✓',
      isScored: !unscoredNames.has(name),
      passed: Number(passed),
      failed: Number(failed),
    }),
  );
  if (scenarios.length === 0) throw new Error(`the suite ran nothing: ${output.slice(-400)}`);
  return scenarios;
}

function report(title, scenarios, required) {
  const counted = scenarios.filter((scenario) =>
    required === undefined ? scenario.isScored : required.includes(scenario.name),
  );
  const failing = counted.filter((scenario) => !scenario.isPassed);
  const absent = (required ?? []).filter((name) => !scenarios.some((scenario) => scenario.name === name));
  const checks = counted.reduce((sum, scenario) => sum + scenario.passed, 0);
  console.log(`${title}: ${counted.length - failing.length}/${counted.length} scenarios, ${checks} checks passed`);
  for (const scenario of failing)
    console.log(`  failed: ${scenario.name} (${scenario.failed} of ${scenario.passed + scenario.failed} checks)`);
  for (const name of absent) console.log(`  not run: ${name}`);
  if (required === undefined) {
    const extra = scenarios.filter((scenario) => !scenario.isScored);
    console.log(`  not scored: ${extra.filter((scenario) => scenario.isPassed).length}/${extra.length} passed`);
  }
  if (failing.length > 0 || absent.length > 0) isGreen = false;
}

function reportAuthorization({ passed, failed, output }) {
  console.log(`authorization server: ${passed} checks passed, ${failed} failed`);
  if (passed > 0 && failed === 0) return;
  console.log(output.slice(-2000));
  isGreen = false;
}
