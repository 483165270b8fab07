import { type Config, type ConfigSources, loadConfig as load } from '../settings/config.ts';
import { DECLARED_SETTINGS } from './settings.ts';

/** The settings of the program with all its features: flag over environment over file over default. */
export function loadConfig(sources: Omit<ConfigSources, 'declared'> = {}): Config {
  return load({ ...sources, declared: DECLARED_SETTINGS });
}
