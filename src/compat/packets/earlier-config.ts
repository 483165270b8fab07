import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFolder, type Environment } from '../../client/client-folder.ts';
import { EngineError } from '../../model/errors.ts';
import { writePrivateFile } from '../../settings/private-file.ts';

/** Settings that the packet program keeps in `config.toml`, by the names they have here. */
const NAMES: Readonly<Record<string, string>> = {
  host: 'server',
  user: 'user',
  output: 'output',
  lenient: 'lenient',
  editor: 'editor',
};
/** Its file is flat: a name, and a text in quotes or a switch. */
const LINE = /^\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|true|false)\s*(?:#.*)?$/;

/** What the packet program's own file says, for whoever used it before; the config file wins over it. */
export function readEarlierConfig(env: Environment): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const line of readFile(env).split('\n')) {
    const name = nameIn(line);
    if (name !== undefined) config[name] = readValue(LINE.exec(line)![2]!);
  }
  return config;
}

/** False when it is not there. */
export function removeEarlierValue(env: Environment, name: string): boolean {
  const lines = readFile(env).split('\n');
  const kept = lines.filter((line) => nameIn(line) !== name);
  if (kept.length === lines.length) return false;
  writePrivateFile(earlierPath(env), kept.join('\n'));
  return true;
}

function earlierPath(env: Environment): string {
  return join(clientFolder(env), 'config.toml');
}

function nameIn(line: string): string | undefined {
  const name = LINE.exec(line)?.[1]?.toLowerCase();
  return name === undefined ? undefined : NAMES[name];
}

function readFile(env: Environment): string {
  try {
    return readFileSync(earlierPath(env), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    const hint = 'Check its permissions.';
    throw new EngineError('invalid_input', `The file ${earlierPath(env)} cannot be read.`, { cause, hint });
  }
}

function readValue(raw: string): string | boolean {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return raw.startsWith("'") ? raw.slice(1, -1) : (JSON.parse(raw) as string);
}
