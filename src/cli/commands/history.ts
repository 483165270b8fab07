import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showLabels } from '../show-memory.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const [ref] = needWords(args, 'history');
  const { versions } = await (await client()).listVersions({ ref: ref! });
  if (json) {
    terminal.printJson(toWire({ versions }));
    return EXIT.ok;
  }
  const { print, paint, note } = terminal;
  for (const { memory, replacedAt, reason } of versions) {
    print(
      paint('bold', `revision ${memory.revision}`) +
        paint('dim', ` until ${showTime(replacedAt)}${reason === null ? '' : `: ${safeLine(reason)}`}`),
    );
    print(`  ${showLabels(memory, terminal, Date.now())}`);
    print(`${safeText(memory.content).replace(/^/gm, '  ')}\n`);
  }
  note(
    versions.length === 0
      ? 'It was never changed.'
      : `Back to revision ${versions[0]!.memory.revision}: ltm edit ${safeLine(ref!)} --undo`,
  );
  return EXIT.ok;
}
