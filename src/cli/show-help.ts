import { COMMAND_GROUPS, tellTwinsApart } from '../features/command-groups.ts';
import { type Command, type Flag, GLOBAL_FLAGS } from './command.ts';
import type { Terminal } from './terminal.ts';
import { wrapText } from './text-width.ts';

const NAME_WIDTH = 12;

export function showOverview(terminal: Terminal, commands: readonly Command[]): void {
  const { print, paint } = terminal;
  const summaries = new Map(commands.map((command) => [command.name, command.summary]));
  print('Long-term memory for AI agents, over MCP, REST and the command line.\n');
  print(`${paint('bold', 'Usage')}  ltm COMMAND [FLAGS]\n`);
  for (const { title, about, names } of COMMAND_GROUPS) {
    print(`${paint('bold', title)}${about === undefined ? '' : paint('dim', `  ${about}`)}`);
    for (const name of names) print(`  ${paint('cyan', name.padEnd(NAME_WIDTH))} ${summaries.get(name)}`);
    print('');
  }
  print(paint('bold', 'Global flags'));
  printFlags(terminal, GLOBAL_FLAGS);
  print(`\n${paint('bold', 'Begin')}`);
  print('  ltm setup');
  print('  ltm store "Staging runs on port 8443" --tags infra');
  print('  ltm search "which port is staging on"');
  print('\n`ltm help COMMAND` shows flags and examples.');
}

export function showCommandHelp(command: Command, terminal: Terminal): void {
  const { print, paint } = terminal;
  print(`${command.summary}.\n`);
  print(
    `${paint('bold', 'Usage')}  ltm ${[command.name, command.usage, '[FLAGS]'].filter((part) => part !== '').join(' ')}`,
  );
  for (const text of [command.about, tellTwinsApart(command.name)])
    if (text) print(`\n${wrapText(text, terminal.width).join('\n')}`);
  if (command.flags.length > 0) {
    print(`\n${paint('bold', 'Flags')}`);
    printFlags(terminal, command.flags);
  }
  print(`\n${paint('bold', 'Global flags')}`);
  printFlags(terminal, GLOBAL_FLAGS);
  print(`\n${paint('bold', 'Examples')}`);
  for (const example of command.examples) print(`  ${example}`);
}

function printFlags(terminal: Terminal, flags: readonly Flag[]): void {
  const heads = flags.map(({ name, short, value, inline }) => {
    const flag = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
    return `${flag}${value === undefined ? '' : ` ${value}`}${inline === undefined ? '' : `[=${inline}]`}`;
  });
  const column = Math.max(...heads.map((head) => head.length)) + 4;
  flags.forEach((flag, at) => {
    const [first, ...more] = wrapText(flag.description, Math.max(20, terminal.width - column));
    terminal.print(`  ${terminal.paint('cyan', heads[at]!.padEnd(column - 2))}${first}`);
    for (const line of more) terminal.print(' '.repeat(column) + line);
  });
}
