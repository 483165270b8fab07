import type { CommandContext, CommandLine } from '../../../src/cli/command.ts';
import { safeLine } from '../../../src/cli/safe-text.ts';
import type { Bookmark } from './verbs.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'bookmarks',
    summary: 'Show the bookmarks',
    reads: true,
    examples: ['ltm bookmarks'],
    load: async () => show,
  },
];

async function show({ client, answer, terminal }: CommandContext): Promise<void> {
  const { listBookmarks } = (await client()) as unknown as {
    listBookmarks(input: object): Promise<{ bookmarks: Bookmark[] }>;
  };
  const found = await listBookmarks({});
  answer(found, () => {
    for (const { url, note } of found.bookmarks) terminal.print(`${safeLine(url)}  ${safeLine(note)}`);
  });
}
