import { toMemory } from '../../model/to-memory.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showLabels } from '../show-memory.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const [ref] = needWords(args, 'history');
  const { engine, caller } = await open();
  const found = await engine.listVersions(caller, ref!);
  const versions = found.map(({ record, replacedAt, reason }) => ({ memory: toMemory(record), replacedAt, reason }));
  if (json) {
    terminal.printJson(toJson({ versions }));
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
