import { existsSync } from 'node:fs';
import { writePrivateFile } from '../../client/client-folder.ts';
import { nearestName } from '../../model/nearest-name.ts';
import { type DescribedSetting, describeConfig, loadConfig } from '../../server/config.ts';
import { setConfigValue, unsetConfigValue } from '../../server/config-file.ts';
import { SETTINGS } from '../../server/settings.ts';
import { configFilePath } from '../../server/user-folders.ts';
import type { CommandContext } from '../command.ts';
import { findEditor, runEditor } from '../edit-text.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { wrapText } from '../text-width.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const [verb = 'list', word, value] = context.args.words;
  const file = context.sources.file ?? configFilePath(context.env);
  switch (verb) {
    case 'list':
      return list(context);
    case 'path':
      return answer(context, { file }, file);
    case 'edit':
      return edit(context, file);
    case 'get':
      return get(context, needKnown(settingName(word, 'get NAME')));
    case 'set': {
      if (value === undefined) throw new UsageError('Usage: ltm config set NAME VALUE');
      const setting = needKnown(meantBy(settingName(word, 'set NAME VALUE'), value));
      setConfigValue(file, setting, value);
      return answer(context, { set: setting, file }, `Set ${setting} in ${file}.`);
    }
    case 'unset': {
      const setting = settingName(word, 'unset NAME');
      const removed = unsetConfigValue(file, setting, context.env);
      if (!removed) needKnown(setting);
      return answer(
        context,
        { unset: setting, removed, file },
        removed ? `Removed ${setting} from ${file}.` : `${setting} is not in ${file}.`,
      );
    }
    default:
      throw new UsageError(`\`ltm config\` does not know "${verb}".`, 'It knows list, get, set, unset, edit and path.');
  }
}

/** The packet program calls the server it uses `host`; here that is the address to listen on, and no URL. */
function meantBy(name: string, value: string): string {
  return name === 'host' && value.includes('://') ? 'server' : name;
}

/** The file is read once more afterwards: a mistake in it is told at once. */
async function edit(context: CommandContext, file: string): Promise<number> {
  if (!existsSync(file)) writePrivateFile(file, '{}\n');
  await runEditor(findEditor(context), file);
  loadConfig(context.sources);
  return EXIT.ok;
}

/** `max-body-bytes`, `max_body_bytes` and `MAX_BODY_BYTES` mean the same. */
function settingName(word: string | undefined, usage: string): string {
  if (word === undefined) throw new UsageError(`Usage: ltm config ${usage}`);
  return word.replace(/^--/, '').replaceAll('-', '_').toLowerCase();
}

function needKnown(name: string): string {
  const names = SETTINGS.map((setting) => setting.name).sort();
  if (names.includes(name)) return name;
  const nearest = nearestName(name, names);
  throw new UsageError(
    `"${name}" is not a setting.`,
    `${nearest === null ? '' : `Did you mean "${nearest}"? `}Settings: ${names.join(', ')}.`,
  );
}

function answer({ json, terminal }: CommandContext, result: object, sentence: string): number {
  if (json) terminal.printJson(result);
  else terminal.print(sentence);
  return EXIT.ok;
}

function get(context: CommandContext, name: string): number {
  const setting = describeConfig(loadConfig(context.sources)).find((one) => one.name === name)!;
  return answer(context, setting, showValue(setting.value));
}

function list({ terminal, json, sources }: CommandContext): number {
  const config = loadConfig(sources);
  const settings = describeConfig(config).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (json) terminal.printJson({ file: config.configFile, settings });
  else for (const setting of settings) showSetting(setting, terminal);
  for (const warning of config.warnings) terminal.warn(safeLine(warning));
  return EXIT.ok;
}

function showSetting(setting: DescribedSetting, { print, paint, width }: Terminal): void {
  const origin = setting.source === 'default' ? '' : paint('dim', `  (${safeLine(setting.from)})`);
  print(`${paint('bold', setting.name)} = ${paint('cyan', showValue(setting.value))}${origin}`);
  for (const line of wrapText(setting.description, width - 4)) print(`    ${paint('dim', line)}`);
}

function showValue(value: unknown): string {
  if (value === null) return 'not set';
  return safeLine(typeof value === 'string' ? value : JSON.stringify(value));
}
