import { existsSync } from 'node:fs';
import { nearestName } from '../model/nearest-name.ts';
import {
  type Config,
  type ConfigSources,
  type DescribedSetting,
  describeConfig,
  loadConfig,
} from '../settings/config.ts';
import { setConfigValue, unsetConfigValue } from '../settings/config-file.ts';
import { writePrivateFile } from '../settings/private-file.ts';
import type { DeclaredSettings } from '../settings/settings.ts';
import { configFilePath } from '../settings/user-folders.ts';
import type { CommandContext } from './command.ts';
import { openInEditor } from './edit-text.ts';
import { UsageError } from './report-error.ts';
import { safeLine } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { wrapText } from './text-width.ts';

export async function config(context: CommandContext): Promise<void> {
  const { args, terminal, json, answer, sources, env } = context;
  const [verb = 'list', word, value] = args.words;
  const file = sources.file ?? configFilePath(env);
  const { declared } = sources;
  const kept = { configFile: file, declared };
  switch (verb) {
    case 'list':
      return list(context);
    case 'path':
      return answer({ file }, file);
    case 'edit':
      return edit(context, file);
    case 'get': {
      const name = needKnown(declared, settingName(word, 'get NAME'));
      const loaded = loadConfig(sources);
      const meant = name === 'host' && isServerMeant(loaded) ? 'server' : name;
      const setting = describeConfig(loaded).find((one) => one.name === meant)!;
      return json ? terminal.printJson(setting) : terminal.print(showValue(setting.value));
    }
    case 'set': {
      if (value === undefined) throw new UsageError('Usage: ltm config set NAME VALUE');
      const name = settingName(word, 'set NAME VALUE');
      const setting = name === 'host' && value.includes('://') ? needServerMeant(sources) : needKnown(declared, name);
      setConfigValue(kept, setting, value);
      return answer({ set: setting, file }, `Set ${setting} in ${file}.`);
    }
    case 'unset': {
      const name = settingName(word, 'unset NAME');
      const isGone = unsetConfigValue(kept, name, env);
      const setting = isGone || name !== 'host' ? name : 'server';
      const removed = isGone || (setting !== name && unsetConfigValue(kept, setting, env));
      if (!removed) needKnown(declared, setting);
      const sentence = removed ? `Removed ${setting} from ${file}.` : `${setting} is not in ${file}.`;
      return answer({ unset: setting, removed, file }, sentence);
    }
    default:
      throw new UsageError(
        `\`ltm config\` has no subcommand "${verb}".`,
        'The subcommands are list, get, set, unset, edit and path.',
      );
  }
}

/** The packet program calls the server it uses `host`; here that is the address to listen on. Whoever has said nothing of that address means the server. */
function isServerMeant({ origin, server }: Config): boolean {
  return origin.host.source === 'default' && server !== null;
}

/** What was set as `host` is what `host` shows afterwards. */
function needServerMeant(sources: ConfigSources): 'server' {
  const { host, origin } = loadConfig(sources);
  if (origin.host.source === 'default') return 'server';
  throw new UsageError(
    `"host" is the address that \`ltm serve\` listens on, and is ${safeLine(host)}, by ${safeLine(origin.host.name)}.`,
    'The server you use is set with `ltm config set server URL`.',
  );
}

/** The file is read once more afterwards: a mistake in it is told at once. */
async function edit(context: CommandContext, file: string): Promise<void> {
  if (!existsSync(file)) writePrivateFile(file, '{}\n');
  await openInEditor(file, context);
  loadConfig(context.sources);
}

/** `max-body-bytes`, `max_body_bytes` and `MAX_BODY_BYTES` mean the same. */
function settingName(word: string | undefined, usage: string): string {
  if (word === undefined) throw new UsageError(`Usage: ltm config ${usage}`);
  return word.replace(/^--/, '').replaceAll('-', '_').toLowerCase();
}

function needKnown({ settings }: DeclaredSettings, name: string): string {
  const names = settings.map((setting) => setting.name).sort();
  if (names.includes(name)) return name;
  const nearest = nearestName(name, names);
  throw new UsageError(
    `"${name}" is not a setting.`,
    `${nearest === null ? '' : `Did you mean "${nearest}"? `}Settings: ${names.join(', ')}.`,
  );
}

function list({ terminal, json, sources }: CommandContext): void {
  const loaded = loadConfig(sources);
  const settings = describeConfig(loaded).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (json) terminal.printJson({ file: loaded.configFile, settings });
  else for (const setting of settings) showSetting(setting, terminal);
  for (const warning of loaded.warnings) terminal.warn(safeLine(warning));
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
