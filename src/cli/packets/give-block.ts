import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { copyText } from './copy-text.ts';

/** A resume block goes to the clipboard or to stdout; to stdout as well where there is no clipboard. --no-copy wins over everything. */
export async function giveBlock(
  { args, terminal, env }: CommandContext,
  block: { text: string; id: string; copies: boolean },
): Promise<number> {
  const wantsCopy = (block.copies || args.isOn('copy')) && !args.isOn('no-copy');
  const shown = safeText(block.text);
  if (wantsCopy && (await copyText(shown, env))) {
    terminal.note(
      `Copied ${[...shown].length} characters of packet …${safeLine([...block.id].slice(-8).join(''))} to the clipboard.`,
    );
    return EXIT.ok;
  }
  if (wantsCopy) terminal.warn('there is no clipboard, so the text is printed');
  terminal.streams.stdout.write(terminal.showsToPerson ? shown : block.text);
  return EXIT.ok;
}
