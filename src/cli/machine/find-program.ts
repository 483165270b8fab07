import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import type { Environment, Program } from '../../agents/agent.ts';

/** Where this program itself is. */
export interface Installed {
  /** The node that runs it. */
  node: string;
  /** bin/ltm.js, links followed. */
  script: string;
  env: Environment;
  platform: NodeJS.Platform;
}

/** How agents start ltm and its hook. */
export interface Programs {
  /** For agents that are started from a shell. */
  short: { program: Program; hook: Program | null };
  /** For those that are not: whole paths, which need no PATH. */
  whole: { program: Program; hook: Program | null };
  /** Run by npx, out of a cache that may be emptied. */
  isPassing: boolean;
}

const TRY_MS = 10_000;
/** Of the package's programs, in its folder `bin`. */
const FILES = { ltm: 'ltm.js', 'ltm-hook': 'ltm-hook.js' } as const;

/**
 * `ltm` by its name where a shell finds this very program and can run it with nothing but HOME and PATH (which is all that Codex
 * passes on); whole paths elsewhere. Run by npx there is no lasting path: the server is started by npx again, and a hook that
 * took npx's time at every step of the agent is not offered.
 */
export function findPrograms(installed: Installed, version: string): Programs {
  const { node, script, platform } = installed;
  if (script.includes(`${sep}_npx${sep}`)) {
    const npx = { program: { command: 'npx', args: ['-y', `ltm@${version}`] }, hook: null };
    return { short: npx, whole: npx, isPassing: true };
  }
  const whole = {
    program: { command: node, args: [script] },
    hook: { command: node, args: [join(dirname(script), FILES['ltm-hook'])] },
  };
  const isKnown = platform !== 'win32' && (['ltm', 'ltm-hook'] as const).every((name) => isOnPath(name, installed));
  const short = { program: { command: 'ltm', args: [] }, hook: { command: 'ltm-hook', args: [] } };
  return { short: isKnown && runs(installed) ? short : whole, whole, isPassing: false };
}

/** The first program of that name, as a shell would find it. */
export function findOnPath(name: string, { env, platform }: Pick<Installed, 'env' | 'platform'>): string | null {
  const endings = platform === 'win32' ? (env.PATHEXT || '.EXE;.CMD;.BAT').split(';') : [''];
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  return candidates.find(canRun) ?? null;
}

function isOnPath(name: keyof typeof FILES, installed: Installed): boolean {
  const found = findOnPath(name, installed);
  const script = join(dirname(installed.script), FILES[name]);
  return found !== null && (realpathSync(found) === script || isLauncherOf(script, found));
}

const LAUNCHER_BYTES = 8192;

/** A file for the shell that names the script, such as `npm run link` writes. */
function isLauncherOf(script: string, path: string): boolean {
  const file = statSync(path);
  return file.isFile() && file.size <= LAUNCHER_BYTES && readFileSync(path, 'utf8').includes(`'${script}'`);
}

function runs({ env, platform }: Installed): boolean {
  const found = findOnPath('ltm', { env, platform });
  const { status } = spawnSync(found!, ['version'], { env: { HOME: env.HOME, PATH: env.PATH }, timeout: TRY_MS });
  return status === 0;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
