// Writes the part "## Commands" of docs/cli.md from the command table: node scripts/write-cli-docs.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Flag } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/command-table.ts';

const PAGE = join(import.meta.dirname, '..', 'docs', 'cli.md');
const HEADING = '## Commands\n';

function describeFlag({ name, short, value, description, choices }: Flag): string {
  const long = `\`--${name}${value === undefined ? '' : ` ${value}`}\``;
  return `| ${short === undefined ? '' : `\`-${short}\` `}${long.replaceAll('|', '\\|')} | ${description.replaceAll('|', '\\|')}${oneOf(choices)} |`;
}

function oneOf(choices: Flag['choices']): string {
  return choices === undefined ? '' : ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`;
}

function describeCommand({ name, usage, summary, about, flags, examples, takesSettings }: Command): string {
  const sentence = `${summary}.${about === undefined ? '' : ` ${about.replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)')}`}`;
  return [
    `### ltm ${name}`,
    `\`ltm ${name}${usage === '' ? '' : ` ${usage}`}\``,
    sentence,
    ...(takesSettings === true ? ['Every [setting](settings.md) can be given as a flag.'] : []),
    ...(flags.length === 0 ? [] : [['| flag | |', '|---|---|', ...flags.map(describeFlag)].join('\n')]),
    ...(examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')]),
  ].join('\n\n');
}

const page = readFileSync(PAGE, 'utf8');
const start = page.indexOf(HEADING);
writeFileSync(PAGE, `${page.slice(0, start)}${HEADING}\n${COMMANDS.map(describeCommand).join('\n\n')}\n`);
