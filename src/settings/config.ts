import { homedir, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineSettings } from '../engine/engine.ts';
import { SYSTEM_ZONE } from '../engine/time/time-span.ts';
import { EngineError } from '../model/errors.ts';
import { nearestName } from '../model/nearest-name.ts';
import { once } from '../model/once.ts';
import { showLocation } from '../model/show-location.ts';
import {
  badValue,
  type ConfigFileContent,
  countWrites,
  readConfigFile,
  readDotEnv,
  readEarlierFiles,
} from './config-file.ts';
import { findModelFile } from './model-file.ts';
import type { EmbedderName } from './setting-kinds.ts';
import type { DeclaredSettings, Environment, Setting, SettingKey, SettingValues } from './settings.ts';
import { configFilePath } from './user-folders.ts';

type ValueSource = 'flag' | 'environment' | 'file' | 'default';

/** Files and folders that follow from the settings: each feature or system joins its own, in its `settings.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by merging
export interface Places {}

/** Every setting's value, and where it came from. */
export interface Config extends Omit<SettingValues, 'embedder'> {
  embedder: EmbedderName;
  configFile: string;
  places: Places;
  declared: DeclaredSettings;
  /** Which of the four gave the value, and the flag or variable by name. */
  origin: Record<SettingKey, { source: ValueSource; name: string }>;
  /** What looks like a mistake but stops nothing. */
  warnings: string[];
}

export interface ConfigSources {
  /** What the program can be told, with all that its features and systems declare. */
  declared: DeclaredSettings;
  /** As `parseArgs` names them, without the dashes; those that are no settings are left alone. */
  flags?: Readonly<Record<string, unknown>>;
  env?: Environment;
  /** Another config file than LTM_CONFIG or the platform's usual place. */
  file?: string;
  /** Folder whose `.env` may name the database and the tokens file; the real environment wins. */
  dotEnvFolder?: string;
}

/** Flag over environment over file over default. */
export function loadConfig(sources: ConfigSources): Config {
  const { declared } = sources;
  const env = sources.env ?? process.env;
  const configFile = sources.file ?? configFilePath(env);
  const earlier = sources.file === undefined ? readEarlierFiles(declared, env) : [];
  const content = Object.assign({}, ...earlier, readConfigFile(configFile, declared));
  const dotEnv = sources.dotEnvFolder === undefined ? {} : readDotEnv(sources.dotEnvFolder);
  const values: Partial<Record<SettingKey, unknown>> = {};
  const origin: Partial<Config['origin']> = {};
  for (const setting of declared.settings) {
    const given = findGiven(setting, { flags: sources.flags ?? {}, env, dotEnv, content, configFile });
    const value = given === undefined ? setting.defaultFor(env) : setting.kind.read(given.raw);
    if (value === undefined) throw badValue(setting, `The ${given?.label}`, given?.raw);
    values[setting.key] = value;
    origin[setting.key] = { source: given?.source ?? 'default', name: given?.name ?? '' };
  }
  const config = {
    ...(values as unknown as SettingValues),
    configFile,
    declared,
    origin: origin as Config['origin'],
    warnings: findMistypedVariables(env, declared),
  };
  return completeConfig(config, env);
}

const loaded = new WeakMap<ConfigSources, { config: Config; writes: number }>();

/** The settings of one command, which asks for them in several places; they are read again after this process has written some. */
export function loadConfigOnce(sources: ConfigSources): Config {
  const writes = countWrites();
  const known = loaded.get(sources);
  if (known?.writes === writes) return known.config;
  const config = loadConfig(sources);
  loaded.set(sources, { config, writes });
  return config;
}

export function engineSettings(config: Config): EngineSettings {
  const timeZone = config.timeZone ?? SYSTEM_ZONE;
  return { ...config, timeZone, indexBudgetBytes: budgetOf(config, grantedMemory()), rankWithout: [] };
}

interface GrantedMemory {
  /** By a container or a unit; 0, or more than any machine has, where nothing limits the process. */
  constrained: number;
  machine: number;
}

export function grantedMemory(): GrantedMemory {
  return { constrained: process.constrainedMemory(), machine: totalmem() };
}

/** Where nobody has said how much indexes may take. What is granted is granted to one process; the machine is shared by as many as there are agents. */
const SHARE_OF_CONSTRAINT = 4;
const SHARE_OF_MACHINE = 8;

export function budgetOf(
  { indexBudgetMb, origin }: Pick<Config, 'indexBudgetMb' | 'origin'>,
  { constrained, machine }: GrantedMemory,
): number {
  const given = indexBudgetMb * 2 ** 20;
  if (origin.indexBudgetMb.source !== 'default') return given;
  const granted = constrained === 0 ? Infinity : constrained / SHARE_OF_CONSTRAINT;
  return Math.floor(Math.min(given, granted, Math.max(LEAST_BUDGET, machine / SHARE_OF_MACHINE)));
}

/** So much is worth it on the smallest machine that nothing else constrains. */
const LEAST_BUDGET = 256 * 2 ** 20;

export interface DescribedSetting extends Pick<Setting, 'name' | 'description' | 'flag' | 'env'> {
  value: unknown;
  source: ValueSource;
  /** The flag or variable that gave it. */
  from: string;
}

/** For `ltm config`: secrets are masked. */
export function describeConfig(config: Config): DescribedSetting[] {
  return config.declared.settings.map(({ key, name, description, flag, env, secret }) => {
    const value = secret && config[key] !== null ? '********' : key === 'db' ? showLocation(config.db) : config[key];
    const { source, name: from } = config.origin[key];
    return { name, value, source, from, description, flag, env };
  });
}

interface Given {
  source: ValueSource;
  name: string;
  label: string;
  raw: unknown;
}

interface GivenFrom extends Required<Pick<ConfigSources, 'flags' | 'env'>> {
  dotEnv: Environment;
  content: ConfigFileContent;
  configFile: string;
}

function findGiven(setting: Setting, from: GivenFrom): Given | undefined {
  const flag = from.flags[setting.flag.slice(2)];
  if (flag !== undefined) return { source: 'flag', name: setting.flag, label: `flag ${setting.flag}`, raw: flag };
  for (const name of setting.key === 'server' ? [...setting.env, 'LTM_HOST'] : setting.env) {
    const raw = from.env[name];
    if (raw !== undefined && raw !== '' && isMeant(setting.key, name, raw, from.env))
      return ofEnvironment(name, setting.convert(name, raw));
  }
  for (const name of setting.env)
    if (from.dotEnv[name]) return ofEnvironment(`${name} in .env`, setting.convert(name, from.dotEnv[name]));
  const raw = from.content[setting.name];
  if (raw === undefined) return undefined;
  return { source: 'file', name: from.configFile, label: `setting ${setting.name} in ${from.configFile}`, raw };
}

function ofEnvironment(name: string, raw: unknown): Given {
  return { source: 'environment', name, label: `variable ${name}`, raw };
}

/**
 * The packet program calls the server it uses LTM_HOST. With a scheme it is that, without one the address to listen on. PORT is read beside MCP_TOKEN,
 * as the federated server has it; alone it may be anybody's.
 */
function isMeant(key: SettingKey, variable: string, raw: string, env: Environment): boolean {
  if (variable === 'PORT') return Boolean(env.MCP_TOKEN);
  return variable !== 'LTM_HOST' || (key === 'server') === raw.includes('://');
}

/** What only several settings together can tell. */
function completeConfig(config: Omit<Config, 'embedder' | 'places'> & SettingValues, env: Environment): Config {
  const embedder = config.embedder ?? chooseEmbedder(config);
  checkEmbedder(embedder, config);
  if (config.splitChars > 0 && config.splitOverlapChars >= config.splitChars) {
    const problem = `split_overlap_chars is ${config.splitOverlapChars}, but must be less than split_chars (${config.splitChars}).`;
    throw new EngineError('invalid_input', problem, { details: { key: 'split_overlap_chars' } });
  }
  if ((config.tlsCert === null) !== (config.tlsKey === null))
    throw new EngineError('invalid_input', 'tls_cert and tls_key go together.', { details: { key: 'tls_cert' } });
  const baseOf = (key: SettingKey): string => (config.origin[key].source === 'file' ? dirname(config.configFile) : '.');
  const db = resolveDatabase(config.db, baseOf('db'), env);
  const complete: SettingValues & typeof config = { ...config, embedder, db };
  for (const { key, kind } of config.declared.settings)
    if (kind.isPath === true && config[key] !== null)
      Object.assign(complete, { [key]: resolvePath(String(config[key]), baseOf(key), env) });
  return Object.assign(complete, { places: placesOf(complete, config.declared, env) }) as unknown as Config;
}

/** Each is found when it is first asked for: most commands need none. */
function placesOf(values: SettingValues, { places }: DeclaredSettings, env: Environment): Places {
  const found = {};
  for (const [name, find] of Object.entries(places)) {
    const get = once(() => find(values, env));
    Object.defineProperty(found, name, { get, enumerable: true });
  }
  return found as Places;
}

/** The bundled one unless the person has named another; a package without its model searches by words. */
function chooseEmbedder({ embedderUrl, embedderFolder }: SettingValues): EmbedderName {
  if (embedderUrl !== null) return 'openai';
  if (embedderFolder !== null) return 'onnx';
  return findModelFile() === null ? 'none' : 'static';
}

function checkEmbedder(embedder: EmbedderName, { embedderUrl, embedderFolder }: SettingValues): void {
  const lacks = (key: string, hint: string) =>
    new EngineError('invalid_input', `embedder is "${embedder}", but ${key} is not set.`, { hint, details: { key } });
  if (embedder === 'openai' && embedderUrl === null)
    throw lacks(
      'embedder_url',
      'Set embedder_url to the address of an embeddings service, such as http://localhost:11434/v1.',
    );
  if (embedder === 'onnx' && embedderFolder === null)
    throw lacks('embedder_folder', 'Set embedder_folder to a folder with model.onnx and tokenizer.json.');
}

/** A URL stays as it is; a path is made absolute, so that it means the same wherever it is used. */
function resolveDatabase(db: string, base: string, env: Environment): string {
  if (db === ':memory:') {
    const problem = 'db is ":memory:", but must be a file; anything stored in memory would be lost.';
    throw new EngineError('invalid_input', problem, { details: { key: 'db' } });
  }
  if (db.startsWith('file://')) return fileURLToPath(db);
  if (/^[a-z][a-z0-9+]+:\/\//i.test(db)) return db;
  return resolvePath(db, base, env);
}

function resolvePath(path: string, base: string, env: Environment): string {
  return resolve(base, path.replace(/^~(?=[/\\]|$)/, env.HOME || env.USERPROFILE || homedir()));
}

/** Read elsewhere: where files are, and what the client commands use. */
const CLIENT_VARIABLES = [
  'LTM_CONFIG',
  'LTM_CONFIG_DIR',
  'LTM_CACHE_DIR',
  'LTM_SPOOL',
  'LTM_TOKEN',
  'LTM_NO_UPDATE_CHECK',
  'LTM_WORKER',
];

function findMistypedVariables(env: Environment, { settings }: DeclaredSettings): string[] {
  const known = settings.flatMap((setting) => setting.env);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('LTM_') && !CLIENT_VARIABLES.includes(name) && !known.includes(name),
  );
  return unknown.flatMap((name) => {
    const nearest = nearestName(name, known);
    return nearest === null ? [] : [`The variable ${name} is not a setting. Did you mean ${nearest}?`];
  });
}
