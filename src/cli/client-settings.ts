import { existsSync } from 'node:fs';
import {
  CLIENT_KEYS,
  type ClientKey,
  clientConfigPath,
  readClientConfig,
  setClientValue,
  unsetClientValue,
} from '../client/client-config.ts';
import { writePrivateFile } from '../client/client-folder.ts';
import type { CommandContext } from './command.ts';
import { findEditor, runEditor } from './edit-text.ts';
import { EXIT } from './exit-codes.ts';
import { safeLine } from './safe-text.ts';
import { UsageError } from './usage-error.ts';

const DEFAULTS: Partial<Record<ClientKey, string | boolean>> = { output: 'human', lenient: false };

export interface DescribedClientValue {
  name: ClientKey;
  value: string | boolean;
}

/** `host` is two things: a URL is the server that `ltm` talks to, an address the one that `ltm serve` listens on. */
export async function isAboutClient(
  { args, env }: CommandContext,
  key: ClientKey,
  value: string | undefined,
): Promise<boolean> {
  if (key !== 'host') return true;
  if (args.words[0] === 'set') return value?.includes('://') === true;
  return (await readClientConfig(env)).host !== undefined;
}

export async function runForClient({ args, env, json, terminal }: CommandContext, key: ClientKey): Promise<number> {
  const [verb, , value] = args.words;
  const file = clientConfigPath(env);
  const answer = (result: object, sentence: string): number => {
    if (json) terminal.printJson(result);
    else terminal.print(sentence);
    return EXIT.ok;
  };
  if (verb === 'set') {
    if (value === undefined) throw new UsageError('Usage: ltm config set NAME VALUE');
    await setClientValue(env, key, value);
    return answer({ set: key, file }, `Set ${key} in ${file}.`);
  }
  if (verb === 'unset') {
    const removed = await unsetClientValue(env, key);
    return answer(
      { unset: key, removed, file },
      removed ? `Removed ${key} from ${file}.` : `${key} is not in ${file}.`,
    );
  }
  if (verb !== 'get')
    throw new UsageError(`\`ltm config\` does not know "${verb}".`, 'It knows list, get, set, unset, edit and path.');
  const found = (await readClientConfig(env))[key] ?? DEFAULTS[key] ?? null;
  return answer({ name: key, value: found }, found === null ? 'not set' : safeLine(String(found)));
}

/** Those that are set or have a default, by name. */
export async function listClientConfig({ env }: CommandContext): Promise<DescribedClientValue[]> {
  const config = { ...DEFAULTS, ...(await readClientConfig(env)) };
  return CLIENT_KEYS.flatMap((name) => {
    const value = config[name];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** The file is read once more afterwards: a mistake in it is told at once. */
export async function editClientConfig({ env }: CommandContext): Promise<number> {
  const file = clientConfigPath(env);
  if (!existsSync(file)) writePrivateFile(file, '');
  await runEditor(await findEditor(env), file);
  await readClientConfig(env);
  return EXIT.ok;
}
