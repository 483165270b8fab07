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
