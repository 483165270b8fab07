import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { EngineError } from '../../../model/errors.ts';
import { dayOf } from '../../../model/instant.ts';
import type { ClientOf } from '../../../verbs/client.ts';
import type { LinkState } from '../exchange-replicas.ts';
import type { VERBS } from '../verbs.ts';
import { openKeyFolder } from './key-file.ts';
import { WORDS } from './keyring.ts';
import { WORD_COUNT } from './recovery-words.ts';
import {
  beginSealed,
  joinSealed,
  resumeSealed,
  rotateSealed,
  type SealedSpace,
  type VaultSession,
} from './vault-session.ts';

const ASKED_BACK = 2;

export interface SealedLink {
  url: string;
  team: string | null;
  far: ClientOf<typeof VERBS>;
}

export function sealedSpaceOf({ env }: CommandContext, { url, team, far }: SealedLink): SealedSpace {
  return { far, url, team, folder: openKeyFolder(env), now: Date.now };
}

/** Whether this machine seals what it exchanges there: once it has, it always does, whatever the server says. */
export function isSealedHere(context: CommandContext, link: SealedLink, known: LinkState | undefined): boolean {
  const { folder } = sealedSpaceOf(context, link);
  return known?.sealed !== undefined || folder.read(link.url, link.team) !== null;
}

/**
 * What the flags ask for before an exchange: a space is sealed, or this machine joins one. The words that were made, to be shown once; null where
 * none were.
 */
export async function prepareSealed(context: CommandContext, link: SealedLink): Promise<string[] | null> {
  const { args } = context;
  const space = sealedSpaceOf(context, link);
  const name = args.text('machine') ?? hostname();
  const given = args.text('words');
  if (given !== undefined) {
    await joinSealed(space, await readWords(context, given), name);
    return null;
  }
  if (space.folder.read(link.url, link.team) !== null) return null;
  const { keyrings } = await link.far.readKeyrings({});
  if (keyrings.length === 0) {
    const { words } = await beginSealed(space, name);
    await showWords(context, words);
    return words;
  }
  await joinSealed(space, await readWords(context, null), name);
  return null;
}

/** From a file, from a pipe, or typed in; never from the command line, which others can see. */
async function readWords({ terminal }: CommandContext, given: string | null): Promise<string> {
  const { streams } = terminal;
  if (given === '-') return text(streams.stdin);
  if (given !== null) {
    try {
      return readFileSync(given, 'utf8');
    } catch (cause) {
      throw new EngineError('not_found', `The file ${given} with the recovery words cannot be read.`, { cause });
    }
  }
  if (!terminal.isInteractive)
    throw new EngineError('space_sealed', 'This space is sealed, and this machine does not have its key yet.', {
      hint: 'Give the recovery words: `ltm sync memory --words FILE`, or `--words -` for a pipe.',
    });
  terminal.note(`This space is sealed. Type its ${WORD_COUNT} recovery words, in one line.`);
  return question(terminal, 'Recovery words: ');
}

async function question({ streams }: CommandContext['terminal'], asked: string): Promise<string> {
  const dialogue = createInterface({ input: streams.stdin, output: streams.stderr as NodeJS.WritableStream });
  try {
    return await dialogue.question(asked);
  } finally {
    dialogue.close();
  }
}

/** Shown once, and asked back where somebody is there to be asked. */
async function showWords({ terminal, json }: CommandContext, words: readonly string[]): Promise<void> {
  if (json) return;
  terminal.print('These are the recovery words of this space:');
  terminal.print('');
  for (let row = 0; row < words.length; row += 4)
    terminal.print(
      words
        .slice(row, row + 4)
        .map((word, i) => `${String(row + i + 1).padStart(4)}. ${word.padEnd(11)}`)
        .join('')
        .trimEnd(),
    );
  terminal.print('');
  terminal.print('Write them down and keep them safe: they are shown this once, and let another machine in.');
  terminal.print('Without them, and without a machine that has the key, what is on the server is lost for good.');
  if (!terminal.isInteractive) return;
  for (let place = Math.floor(Math.random() * words.length), left = ASKED_BACK; left > 0; left--) {
    place = (place + 7) % words.length;
    const said = (await question(terminal, `Word ${place + 1}: `)).trim().toLowerCase();
    if (said === words[place]) continue;
    terminal.warn('That is not it. `ltm sync rotate --new-words` gives you new ones.');
    return;
  }
}

export async function rotate(context: CommandContext, link: SealedLink): Promise<string[] | null> {
  const { args, terminal } = context;
  const space = sealedSpaceOf(context, link);
  if (space.folder.read(link.url, link.team) === null)
    throw new UsageError(
      'This machine has no key of a sealed space there.',
      '`ltm sync memory --encrypt` seals a space at its start, or joins one that is sealed.',
    );
  const revoke = args.list('revoke') ?? [];
  const { words, revoked } = await rotateSealed(space, { revoke, newWords: args.isOn('new-words') });
  terminal.note(
    revoked.length === 0
      ? 'The space has a new key.'
      : `The space has a new key, which ${revoked.map(safeLine).join(' and ')} ${revoked.length === 1 ? 'does' : 'do'} not have. What was read there before stays read: revoke the token, too.`,
  );
  if (words !== null) await showWords(context, words);
  return words;
}

export interface SealedStatus {
  epoch: number;
  /** The beginning of what names the key: equal on machines that have the same. */
  keyId: string;
  machines: { id: string; name: string; isThis: boolean; addedAt: string }[];
}

export async function describeSealed(context: CommandContext, link: SealedLink): Promise<[VaultSession, SealedStatus]> {
  const session = await resumeSealed(sealedSpaceOf(context, link));
  if (session === null) throw new EngineError('space_sealed', 'This machine does not have the key of this space.');
  const { epoch, keyId, members } = session.vault.keyring;
  const machines = members
    .filter(({ id }) => id !== WORDS)
    .map(({ id, name, at }) => ({
      id,
      name,
      isThis: id === session.signer.id,
      addedAt: dayOf(at),
    }));
  return [session, { epoch, keyId, machines }];
}
