import type { FeatureSettings } from '../engine/engine-settings.ts';
import { CORE_TABLE } from './core-settings.ts';
import type { Environment, SettingEntry, SettingTable, ValuesOf } from './define-setting.ts';

export type { Environment } from './define-setting.ts';

/** A value for every setting that the program has. */
export interface SettingValues extends ValuesOf<typeof CORE_TABLE>, FeatureSettings {}
export type SettingKey = keyof SettingValues;

export interface Setting extends Pick<SettingEntry<unknown>, 'description' | 'kind' | 'secret'> {
  key: SettingKey;
  /** In the config file and for `ltm config`. */
  name: string;
  flag: string;
  /** In the order they are looked at. */
  env: readonly string[];
  /** What a value means here that a variable of another system holds. */
  convert(variable: string, raw: string): unknown;
  defaultFor(env: Environment): unknown;
}

function describeSetting(key: SettingKey, entry: SettingEntry<unknown>): Setting {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { alsoEnv, default: value, ...said } = entry;
  return {
    ...said,
    key,
    name,
    flag: `--${name.replaceAll('_', '-')}`,
    env: [`LTM_${name.toUpperCase()}`, ...(isNames(alsoEnv) ? alsoEnv : Object.keys(alsoEnv))],
    convert: (variable, raw) => (isNames(alsoEnv) ? raw : (alsoEnv[variable]?.(raw) ?? raw)),
    defaultFor: (env) => (typeof value === 'function' ? value(env) : value),
  };
}

function isNames(variables: SettingEntry<unknown>['alsoEnv']): variables is readonly string[] {
  return Array.isArray(variables);
}

/** What a feature or a system says of settings. */
export interface SettingPart {
  readonly table?: SettingTable;
  /** Files and folders that follow from the settings, by their names in the configuration. */
  readonly places?: Readonly<Record<string, PlaceFinder>>;
  /** Another file that says some of it, for whoever used that system before; the config file wins over it. */
  readonly earlier?: EarlierFile;
}

export type PlaceFinder = (values: SettingValues, env: Environment) => unknown;

export interface EarlierFile {
  /** Its name, in the folder of the person's sign-ins. */
  readonly file: string;
  /** What it says, by the names that the settings have here. */
  read(text: string): Record<string, unknown>;
  /** The text without what it says of a setting. */
  without(text: string, name: string): string;
}

/** All that a program can be told: the settings in the order in which they are listed, and what features and systems say beside. */
export interface DeclaredSettings {
  readonly settings: readonly Setting[];
  readonly places: Readonly<Record<string, PlaceFinder>>;
  readonly earlier: readonly EarlierFile[];
}

/** The core's settings with those of these parts among them. */
export function joinSettings(parts: readonly SettingPart[]): DeclaredSettings {
  const tables: readonly SettingTable[] = [CORE_TABLE, ...parts.map(({ table = {} }) => table)];
  const entries = new Map(tables.flatMap((table) => Object.entries(table)));
  if (entries.size < tables.reduce((sum, table) => sum + Object.keys(table).length, 0))
    throw new Error('Two settings share a name.');
  const followers = Map.groupBy(entries, ([, { after }]) => (after !== undefined && entries.has(after) ? after : ''));
  const listAfter = (key: string): Setting[] =>
    (followers.get(key) ?? []).flatMap(([name, entry]) => [
      describeSetting(name as SettingKey, entry),
      ...listAfter(name),
    ]);
  return {
    settings: listAfter(''),
    places: Object.assign({}, ...parts.map(({ places }) => places)),
    earlier: parts.flatMap(({ earlier }) => earlier ?? []),
  };
}

/** What stands where nobody says anything, for the settings of these parts. */
export function defaultsOf(parts: readonly SettingPart[]): FeatureSettings {
  const entries = parts.flatMap(({ table = {} }) => Object.entries(table));
  return Object.fromEntries(entries.map(([key, { default: value }]) => [key, value])) as unknown as FeatureSettings;
}
