import type { Program, Wiring } from './agent.ts';
import { type editTomlServer, type FileEdit, OWN_MARK } from './edits/file-edit.ts';
import { hookLine } from './hook-entries.ts';

/** What follows the program's name: `mcp`, and which tools are listed where that is not the usual. */
export function mcpWords({ program, takesOver }: Wiring): string[] {
  return [...program.args, 'mcp', ...(takesOver === true ? ['--tools', 'core,observations'] : [])];
}

export function stdio(wiring: Wiring): Record<string, unknown> {
  const { program, env } = wiring;
  const entry = { command: program.command, args: mcpWords(wiring) };
  return Object.keys(env).length === 0 ? entry : { ...entry, env };
}

export function tomlStdio(wiring: Wiring): Parameters<typeof editTomlServer>[1] {
  return stdio(wiring) as Parameters<typeof editTomlServer>[1];
}

export function hookEdits(wiring: Wiring, agent: string, edit: (line: string) => FileEdit): FileEdit[] {
  const { hook, platform } = wiring;
  return hook === null ? [] : [edit(hookLine({ ...hook, args: hookWords(hook, wiring, agent) }, platform))];
}

export function hookWords({ args }: Program, { takesOver }: Wiring, agent: string): string[] {
  return [...args, '--agent', agent, ...(takesOver === true ? ['--tag', 'longmem-context'] : [])];
}

export function continueBlock(wiring: Wiring): string {
  const { program, env } = wiring;
  const args = mcpWords(wiring)
    .map((arg) => JSON.stringify(arg))
    .join(', ');
  const lines = [
    `# ${OWN_MARK}.`,
    'name: ltm',
    'version: 0.0.1',
    'schema: v1',
    'mcpServers:',
    '  - name: ltm',
    `    command: ${JSON.stringify(program.command)}`,
    `    args: [${args}]`,
  ];
  if (Object.keys(env).length > 0) lines.push(`    env: ${JSON.stringify(env)}`);
  return `${lines.join('\n')}\n`;
}
