import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { SCHEMES } from '../scripts/readme/draw-terminal.ts';
import { readConsoles } from '../scripts/readme/read-console.ts';
import { makePages } from '../scripts/write-docs.ts';
import { GLOBAL_FLAGS } from '../src/cli/command.ts';
import { EXIT } from '../src/cli/report-error.ts';
import { PACKET_API, PACKET_API_PATH } from '../src/compat/packets/create-packets-app.ts';
import { COMMANDS } from '../src/features/command-table.ts';
import { DECLARED_SETTINGS } from '../src/features/settings.ts';
import { ERROR_CODES } from '../src/model/errors.ts';
import { VERSION } from '../src/model/version.ts';
import { API_PATH } from '../src/rest/rest-env.ts';
import { ROUTES } from '../src/rest/route-table.ts';
import { createTools } from '../src/server/create-tools.ts';

const ROOT = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What the page does not name in backquotes, as a table cell or in running text. */
function missingFrom(page: string, names: readonly string[]): string[] {
  return names.filter((name) => !page.includes(`\`${name}\``));
}

/** The part of a page below a heading, up to the next one of the same rank. */
function section(page: string, heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  assert.notEqual(start, -1, `there is no heading "${heading}"`);
  const rank = heading.slice(0, heading.indexOf(' ') + 1);
  const end = page.indexOf(`\n${rank}`, start + heading.length);
  return page.slice(start, end === -1 ? undefined : end);
}

const TOOLS = await createTools();

test('the tables of commands, routes, tools and settings are those of the declarations', () => {
  for (const [name, page] of Object.entries(makePages()))
    assert.equal(read(`docs/${name}`), page, `docs/${name} is out of date: run node scripts/write-docs.ts`);
});

test('every setting is documented with its flag and its variables', () => {
  const page = read('docs/settings.md');
  assert.deepEqual(
    missingFrom(
      page,
      DECLARED_SETTINGS.settings.flatMap(({ name, flag, env }) => [name, flag, ...env]),
    ),
    [],
  );
});

test('every command is documented with its flags', () => {
  const page = read('docs/cli.md');
  const missing = COMMANDS.flatMap(({ name, flags }) => {
    const part = section(page, `### ltm ${name}`);
    return flags.filter((flag) => !part.includes(`\`--${flag.name}`)).map((flag) => `${name} --${flag.name}`);
  });
  const globals = GLOBAL_FLAGS.filter((flag) => !page.includes(`\`--${flag.name}`)).map((flag) => `--${flag.name}`);
  assert.deepEqual([...missing, ...globals], []);
});

test('every exit code is documented', () => {
  const codes = Object.values(EXIT).filter(
    (code) => !section(read('docs/cli.md'), '## Exit codes').includes(`| ${code} |`),
  );
  assert.deepEqual(codes, []);
});

test('every error code is documented', () => {
  assert.deepEqual(missingFrom(read('docs/errors.md'), ERROR_CODES), []);
});

test('every MCP tool is documented', () => {
  assert.deepEqual(
    missingFrom(
      read('docs/mcp.md') + read('docs/memory-service.md'),
      TOOLS.tools.map((tool) => tool.name),
    ),
    [],
  );
});

test('every REST route is documented', () => {
  assert.deepEqual(
    missingFrom(
      read('docs/rest.md'),
      ROUTES.map(({ method, path }) => `${method} ${API_PATH}${path}`),
    ),
    [],
  );
});

test('every route of the packet API is documented', () => {
  assert.deepEqual(
    missingFrom(
      read('docs/packets.md') + read('docs/teams.md'),
      PACKET_API.map(({ method, path }) => `${method} ${PACKET_API_PATH}/${path}`),
    ),
    [],
  );
});

test('links between the documents lead somewhere', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...listPages('docs')];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map((link) => link[1]!)
      .filter((target) => !existsSync(join(ROOT, dirname(page), target))),
  );
  assert.deepEqual(broken, []);
});

test('README and changelog go with the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  assert.equal(VERSION, version);
  assert.match(read('CHANGELOG.md'), new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm'));
  for (const command of ['npm install && npm start', 'npm install && npm test'])
    assert.ok(read('README.md').slice(0, 2000).includes(command), command);
});

test('the picture in the README shows the session that stands below it', () => {
  const session = readConsoles(read('README.md'))[0]!.flatMap(({ command, output }) => [`$ ${command}`, ...output]);
  const squeeze = (text: string): string => text.replace(/\s+/g, '');
  for (const name of Object.keys(SCHEMES)) {
    const lines = read(`docs/images/terminal-${name}.svg`).matchAll(/^<text[^>]*>(.*)<\/text>$/gm);
    const shown = [...lines].map(([, line]) => line!.replace(/<[^>]+>/g, ''));
    const plain = shown.map((line) => line.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
    const expected = session.filter((line) => line !== '');
    assert.deepEqual(plain.map(squeeze), expected.map(squeeze), `${name}: run node scripts/write-readme.ts`);
  }
});

test('the figures in the README are those that were measured', () => {
  const rows = (page: string): string[] => read(page).match(/^\|.*\|$/gm) ?? [];
  const measured = rows('bench/results/others.md');
  assert.deepEqual(rows('README.md').slice(0, measured.length), measured, 'run node bench/others-bench.ts');
  const figureOf = (name: string): string =>
    measured
      .find((row) => row.includes(name))!
      .split('|')[2]!
      .trim();
  const locomo = rows('evals/results/doors.md').find((row) => row.startsWith('| locomo |'))!;
  assert.equal(figureOf('recall@10 on LoCoMo'), locomo.split('|')[4]!.trim().replaceAll('*', ''), 'by the door');
  const tokens = JSON.stringify({ tools: TOOLS.list(['core']).tools }).length / 3.6;
  const said = Number(figureOf('tokens of the tool list').replace(',', ''));
  assert.ok(Math.abs(said - tokens) < 150, `the list of tools has ${Math.round(tokens)} tokens, not ${said}`);
});

function listPages(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}
