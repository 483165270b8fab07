import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appendJsonAt, type JsonFile, readJsonAt, removeJsonAt } from '../../agents/edits/edit-json.ts';
import { readBytes, realFile, replaceFile } from '../../agents/edits/write-file.ts';
import { hookLine } from '../../agents/hook-entries.ts';
import { agentFolders } from '../../agents/transcript-folders.ts';
import { isObject } from '../../model/json-text.ts';
import { VERSION } from '../../model/version.ts';
import type { CommandContext } from '../command.ts';
import { findPrograms } from './find-program.ts';
import { installedAt } from './setup-place.ts';

const HOOK_SECONDS = 30;
const EVENT = ['hooks', 'SessionEnd'] as const;
const OURS = /(^|[\s/\\"'])ltm(@[\w.-]+|\.c?js|\.cmd|\.exe)?["']?\s+sync claude-hook\b/;

type Place = Pick<CommandContext, 'env'>;

export function settingsOf({ env }: Place): string {
  return join(agentFolders(env).claude, 'settings.json');
}

/** What the settings were before. */
function besideOf(path: string): string {
  return `${path}.before-ltm-sync`;
}

function readSettings(path: string): JsonFile | null {
  const bytes = readBytes(realFile(path), path);
  return bytes === null ? null : { text: bytes.toString('utf8'), name: path };
}

/** In Claude Code's settings, once; what was there lies beside it. Null: Claude Code is not used here. */
export function addClaudeHook(context: CommandContext): string | null {
  const path = settingsOf(context);
  if (!existsSync(agentFolders(context.env).claude)) return null;
  const file = readSettings(path);
  if (file !== null && listOurs(file).length > 0) return path;
  const edited = withHook(file, path, hookFor(context));
  rmSync(besideOf(path), { force: true });
  if (file !== null) copyFileSync(realFile(path), besideOf(path));
  replaceFile(realFile(path), Buffer.from(edited.text));
  return path;
}

function hookFor(context: CommandContext): string {
  const { command, args } = findPrograms(installedAt(context), VERSION).whole.program;
  return hookLine({ command, args: [...args, 'sync', 'claude-hook'] }, process.platform);
}

function withHook(file: JsonFile | null, path: string, command: string): JsonFile {
  const item = { hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }] };
  return appendJsonAt(file ?? { text: '{}\n', name: path }, EVENT, item);
}

interface Found {
  at: number;
  /** Where in the item's own list; null: the item is nothing else. */
  inner: number | null;
  command: string;
}

/** The last one first, so that they can be taken out one after the other. */
function listOurs(file: JsonFile): Found[] {
  const items = readJsonAt(file, EVENT);
  if (!Array.isArray(items)) return [];
  return items
    .flatMap((item, at): Found[] => {
      const hooks: unknown[] = isObject(item) && Array.isArray(item.hooks) ? item.hooks : [];
      const ours = hooks.flatMap((hook, inner) =>
        isObject(hook) && typeof hook.command === 'string' && OURS.test(hook.command)
          ? [{ at, inner, command: hook.command }]
          : [],
      );
      return ours.length < hooks.length ? ours : ours.slice(0, 1).map((one) => ({ ...one, inner: null }));
    })
    .reverse();
}

/**
 * Takes the hook out again, and says of which file; null: there is none. Where nobody has written since, the settings are byte for byte what they were,
 * and a file that was made for the hook goes. `onlyAsItWas` leaves them alone otherwise.
 */
export function dropClaudeHook(place: Place, { onlyAsItWas = false, isDryRun = false } = {}): string | null {
  const path = settingsOf(place);
  const file = readSettings(path);
  const ours = file === null ? [] : listOurs(file);
  if (file === null || ours.length === 0) return null;
  const before = readSettings(besideOf(path));
  const isAsItWas = withHook(before, path, ours[0]!.command).text === file.text;
  if (!isAsItWas && onlyAsItWas) return null;
  if (isDryRun) return path;
  if (!isAsItWas) replaceFile(realFile(path), Buffer.from(withoutHooks(file, ours).text));
  else if (before === null) rmSync(realFile(path), { force: true });
  else replaceFile(realFile(path), Buffer.from(before.text));
  rmSync(besideOf(path), { force: true });
  return path;
}

function withoutHooks(file: JsonFile, ours: readonly Found[]): JsonFile {
  let rest = file;
  for (const { at, inner } of ours)
    rest = removeJsonAt(rest, inner === null ? [...EVENT, at] : [...EVENT, at, 'hooks', inner]);
  for (const key of [EVENT, EVENT.slice(0, 1)]) {
    const value = readJsonAt(rest, key);
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) rest = removeJsonAt(rest, key);
  }
  return rest;
}
