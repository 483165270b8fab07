import type { SettingKind } from './setting-kinds.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingEntry<T> {
  description: string;
  default: T | ((env: Environment) => T);
  /** Variables of the systems that ltm replaces, read after the LTM_* one; with what their values mean here where that differs. */
  alsoEnv: readonly string[] | Readonly<Record<string, (raw: string) => unknown>>;
  /** Never shown, logged or repeated in an error. */
  secret: boolean;
  kind: SettingKind<T>;
  /** The setting after which it is listed; at the end where there is none of that name. */
  after?: string;
}

/** Settings by their keys. The names people use follow from the key: `maxBodyBytes` is `max_body_bytes`, `--max-body-bytes` and `LTM_MAX_BODY_BYTES`. */
// biome-ignore lint/suspicious/noExplicitAny: each entry has a type of its own
export type SettingTable = Readonly<Record<string, SettingEntry<any>>>;
export type ValuesOf<Table extends SettingTable> = {
  [Key in keyof Table]: Table[Key] extends SettingEntry<infer T> ? T : never;
};

/** Settings of a feature or system, listed one after the other after that of this key. */
export function after<const Table extends SettingTable>(key: string, table: Table): Table {
  let last = key;
  const placed = Object.entries(table).map(([name, entry]) => {
    const one = [name, { ...entry, after: last }];
    last = name;
    return one;
  });
  return Object.fromEntries(placed);
}

interface Unsaid<T> {
  about(description: string): SettingEntry<T>;
}

export function setting<T>(
  kind: SettingKind<T>,
  usual: SettingEntry<NoInfer<T>>['default'],
  alsoEnv: SettingEntry<T>['alsoEnv'] = [],
): Unsaid<T> {
  return { about: (description) => ({ kind, default: usual, alsoEnv, description, secret: false }) };
}

/** null where nobody says anything. */
export function optional<T>(kind: SettingKind<T>, alsoEnv?: SettingEntry<T>['alsoEnv']): Unsaid<T | null> {
  return setting<T | null>(kind, null, alsoEnv);
}

export function secret<T>(kind: SettingKind<T>, alsoEnv?: SettingEntry<T>['alsoEnv']): Unsaid<T | null> {
  return { about: (description) => ({ ...optional(kind, alsoEnv).about(description), secret: true }) };
}
