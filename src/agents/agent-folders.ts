import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './agent.ts';

export function claudeFolder({ env, home }: Place): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** Holds the state of Claude Code too, which writes it again and again: one key of it is ours. */
export function claudeState({ env, home }: Place): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

export function codexFolder({ env, home }: Place): string {
  return env.CODEX_HOME || join(home, '.codex');
}

export function copilotFolder({ env, home }: Place): string {
  return env.COPILOT_HOME || join(home, '.copilot');
}

export function openCodeFolder({ env, home }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
}

export function openCodeFile(place: Place): string {
  const names = ['opencode.jsonc', 'opencode.json', 'config.json'];
  const folder = openCodeFolder(place);
  return join(folder, names.find((name) => existsSync(join(folder, name))) ?? 'opencode.json');
}

/** Where programs with windows keep their settings. */
export function configIn({ env, home, platform }: Place, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names);
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), ...names);
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), ...names);
}

export function codeFolder(place: Place): string {
  return configIn(place, 'Code', 'User');
}

export function clineFolder(place: Place): string {
  return join(codeFolder(place), 'globalStorage', 'saoudrizwan.claude-dev');
}

export function zedFolder(place: Place): string {
  const { env, home, platform } = place;
  if (platform === 'win32') return configIn(place, 'Zed');
  return platform === 'darwin'
    ? join(home, '.config', 'zed')
    : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed');
}

export function gooseFile(place: Place): string {
  const { env, home, platform } = place;
  if (platform === 'win32') return configIn(place, 'Block', 'goose', 'config', 'config.yaml');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose', 'config.yaml');
}
