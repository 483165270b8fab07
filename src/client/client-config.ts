import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../model/errors.ts';
import { clientFolder, type Environment, writePrivateFile } from './client-folder.ts';

/** What a person sets about the server they use, in `config.toml`. */
export const CLIENT_KEYS = ['editor', 'host', 'lenient', 'output', 'user'] as const;
export type ClientKey = (typeof CLIENT_KEYS)[number];
export type ClientConfig = Partial<Record<ClientKey, string | boolean>>;

const OVERRIDES: Partial<Record<ClientKey, string>> = { host: 'LTM_HOST', user: 'LTM_USER', output: 'LTM_OUTPUT' };
const ON = ['true', '1', 'yes', 'on'];
const OFF = ['false', '0', 'no', 'off'];

export function clientConfigPath(env: Environment): string {
  return join(clientFolder(env), 'config.toml');
}

/** In any case; undefined where the name is none of these. */
export function findClientKey(name: string): ClientKey | undefined {
  return CLIENT_KEYS.find((key) => key === name.toLowerCase());
}

/** The file with what the environment overrides. LTM_HOST without a scheme is the address `ltm serve` listens on, and no server to talk to. */
export async function readClientConfig(env: Environment): Promise<ClientConfig> {
  const config = await readFile(env);
  for (const [key, variable] of Object.entries(OVERRIDES) as [ClientKey, string][]) {
    const value = env[variable];
    if (value && (key !== 'host' || value.includes('://'))) config[key] = value;
  }
  return config;
}

export async function setClientValue(env: Environment, key: ClientKey, raw: string): Promise<void> {
  const value = key === 'lenient' ? readSwitch(raw) : raw;
  await writeFile(env, { ...(await readFile(env)), [key]: value });
}

/** False when it was not there. */
export async function unsetClientValue(env: Environment, key: ClientKey): Promise<boolean> {
  const { [key]: removed, ...rest } = await readFile(env);
  if (removed === undefined) return false;
  await writeFile(env, rest);
  return true;
}

async function readFile(env: Environment): Promise<ClientConfig> {
  const path = clientConfigPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new EngineError('invalid_input', `The file ${path} cannot be read.`, {
      cause,
      hint: 'Check its permissions.',
    });
  }
  const { parse } = await import('smol-toml');
  let content: Record<string, unknown>;
  try {
    content = parse(text);
  } catch (cause) {
    throw new EngineError('invalid_input', `The file ${path} is not TOML.`, {
      cause,
      hint: 'Correct it by hand, or move it away and use `ltm config set`.',
    });
  }
  const config: ClientConfig = {};
  for (const key of CLIENT_KEYS) {
    const value = content[key];
    if (typeof value === 'string' || typeof value === 'boolean') config[key] = value;
  }
  return config;
}

async function writeFile(env: Environment, config: ClientConfig): Promise<void> {
  const { stringify } = await import('smol-toml');
  writePrivateFile(clientConfigPath(env), `${stringify(config)}\n`);
}

function readSwitch(raw: string): boolean {
  const word = raw.trim().toLowerCase();
  if (ON.includes(word)) return true;
  if (OFF.includes(word)) return false;
  throw new EngineError('invalid_input', `lenient is "${raw}", but must be on or off.`, {
    hint: `Give one of ${[...ON, ...OFF].join(', ')}.`,
  });
}
