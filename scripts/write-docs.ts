// Writes the tables of docs/{cli,rest,mcp,memory-service,settings}.md from the declarations: node scripts/write-docs.ts
// A test compares the pages with it. What a cell says beyond the declared sentence is kept.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Flag } from '../src/cli/command.ts';
import { SERVICE_ROUTES } from '../src/compat/service/routes/service-routes.ts';
import { scopeOf } from '../src/engine/authorize.ts';
import { tellTwinsApart } from '../src/features/command-groups.ts';
import { COMMANDS } from '../src/features/command-table.ts';
import { DECLARED_SETTINGS } from '../src/features/settings.ts';
import { API_PATH } from '../src/rest/rest-env.ts';
import { ROUTES } from '../src/rest/route-table.ts';
import { createTools } from '../src/server/create-tools.ts';
import type { Setting } from '../src/settings/settings.ts';

const TOOLS = await createTools();
const DOCS = join(import.meta.dirname, '..', 'docs');
const HEADING = '## Commands\n';
/** Defaults that depend on the machine, or are too long for a cell. */
const IN_WORDS: Readonly<Record<string, string>> = { db: 'see below', memory_types: 'the built-in ones' };

/** The pages as they should be, by name. */
export function makePages(): Record<string, string> {
  const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
  const cli = read('cli.md');
  const commands = COMMANDS.map(describeCommand).join('\n\n');
  return {
    'cli.md': `${cli.slice(0, cli.indexOf(HEADING))}${HEADING}\n${commands}\n`,
    'rest.md': writeTable(read('rest.md'), '| route | scope | |', describeRoutes()),
    'mcp.md': writeTable(read('mcp.md'), '| tool | what it does | reads only |', describeTools('core')),
    'memory-service.md': writeTable(
      writeTable(read('memory-service.md'), '| tool | what it does | reads only |', describeTools('service')),
      '| route | scope |',
      describeServiceRoutes(),
    ),
    'settings.md': writeTable(read('settings.md'), '| setting | flag | variables | default | |', describeSettings()),
  };
}

interface Row {
  cells: readonly string[];
  /** Which of them is a sentence that the page may add to. */
  sentence: number;
}

/** The first table under this head, its rows replaced. */
function writeTable(page: string, head: string, rows: readonly Row[]): string {
  const start = page.indexOf(head);
  if (start < 0) throw new Error(`There is no table "${head}".`);
  const lines = page.slice(start).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const known = new Map(lines.slice(2, end).map((line) => [splitRow(line)[0]!, splitRow(line)]));
  const written = rows.map(({ cells, sentence }) => {
    const before = known.get(cells[0]!)?.[sentence] ?? '';
    const kept = before.startsWith(cells[sentence]!) ? before : cells[sentence]!;
    return `| ${cells.with(sentence, kept).join(' | ')} |`;
  });
  return page.slice(0, start) + [...lines.slice(0, 2), ...written, ...lines.slice(end)].join('\n');
}

function splitRow(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function describeRoutes(): Row[] {
  return ROUTES.map(({ method, path, action, summary }) => ({
    cells: [`\`${method} ${API_PATH}${path}\``, scopeOf(action), `${summary}.`],
    sentence: 2,
  }));
}

function describeServiceRoutes(): Row[] {
  return SERVICE_ROUTES.map(({ at, needs }) => ({
    cells: [`\`${at.replace(' ', ' /api')}\``, needs === null ? 'none' : scopeOf(needs)],
    sentence: 1,
  }));
}

function describeTools(family: string): Row[] {
  return TOOLS.list([family]).tools.map(({ name, description, annotations }) => ({
    cells: [`\`${name}\``, description, annotations.readOnlyHint === true ? 'yes' : ''],
    sentence: 1,
  }));
}

function describeSettings(): Row[] {
  return DECLARED_SETTINGS.settings.map((setting) => ({
    cells: [
      `\`${setting.name}\``,
      `\`${setting.flag}\``,
      setting.env.map((name) => `\`${name}\``).join(', '),
      describeDefault(setting),
      setting.description.replaceAll('|', '\\|'),
    ],
    sentence: 4,
  }));
}

function describeDefault({ name, defaultFor }: Setting): string {
  const value = defaultFor({});
  if (IN_WORDS[name] !== undefined) return IN_WORDS[name];
  if (value === null) return 'not set';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``;
  return `\`${String(value)}\``;
}

function describeFlag({ name, short, value, description, choices }: Flag): string {
  const long = `\`--${name}${value === undefined ? '' : ` ${choices === undefined ? value : 'WHAT'}`}\``;
  return `| ${short === undefined ? '' : `\`-${short}\` `}${long} | ${description.replaceAll('|', '\\|')}${oneOf(choices)} |`;
}

function oneOf(choices: Flag['choices']): string {
  return choices === undefined ? '' : ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`;
}

function describeCommand({ name, usage, summary, about, flags, examples, takesSettings }: Command): string {
  const more = [about?.replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)'), tellTwinsApart(name)].filter(Boolean);
  const sentence = [`${summary}.`, ...more].join(' ');
  return [
    `### ltm ${name}`,
    `\`ltm ${name}${usage === '' ? '' : ` ${usage}`}\``,
    sentence,
    ...(takesSettings === true ? ['Every [setting](settings.md) can be given as a flag.'] : []),
    ...(flags.length === 0 ? [] : [['| flag | |', '|---|---|', ...flags.map(describeFlag)].join('\n')]),
    ...(examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')]),
  ].join('\n\n');
}

if (import.meta.main) for (const [name, text] of Object.entries(makePages())) writeFileSync(join(DOCS, name), text);
