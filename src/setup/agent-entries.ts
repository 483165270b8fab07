import type { Wiring } from './agent.ts';
import { type editTomlServer, type FileEdit, OWN_MARK } from './file-edit.ts';
import { hookLine } from './hook-entries.ts';

export function stdio({ program, env }: Wiring): Record<string, unknown> {
  const entry = { command: program.command, args: [...program.args, 'mcp'] };
  return Object.keys(env).length === 0 ? entry : { ...entry, env };
}

export function tomlStdio(wiring: Wiring): Parameters<typeof editTomlServer>[1] {
  return stdio(wiring) as Parameters<typeof editTomlServer>[1];
}

export function hookEdits({ hook, platform }: Wiring, agent: string, edit: (line: string) => FileEdit): FileEdit[] {
  return hook === null ? [] : [edit(hookLine(hook, agent, platform))];
}

export function continueBlock({ program, env }: Wiring): string {
  const args = [...program.args, 'mcp'].map((arg) => JSON.stringify(arg)).join(', ');
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
