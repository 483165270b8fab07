import { spawn } from 'node:child_process';
import type { Environment } from '../../server/settings.ts';

const PATIENCE_MS = 5000;

/** Puts a text on the clipboard; false where there is none. */
export async function copyText(
  text: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  for (const [program, ...words] of clipboardPrograms(env, platform))
    if (await feed(program!, words, text)) return true;
  return false;
}

function clipboardPrograms(env: Environment, platform: NodeJS.Platform): string[][] {
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32') return [['clip']];
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(env.DISPLAY
      ? [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ]
      : []),
    ...(env.WSL_DISTRO_NAME ? [['clip.exe']] : []),
  ];
}

/** Some of them stay in the background and hold their output open, so nothing of it is read. */
function feed(program: string, words: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], timeout: PATIENCE_MS });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
