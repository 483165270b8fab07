import type { CommandContext } from '../../../cli/command.ts';
import type { Progress } from '../../../cli/progress.ts';

/**
 * Vectors and index are made now, so that no search has to. All records are stored by then: whoever interrupts this loses nothing.
 * A server does the same by itself.
 */
export async function prepareSearch(
  { server, open }: CommandContext,
  records: number,
  progress: Progress,
): Promise<void> {
  if ((await server()) !== null) return;
  const { engine } = await open();
  await engine.runUpkeep(undefined, {
    onEmbedded: (done) => progress.show('embedding', done, records),
    onIndexing: () => progress.show('indexing', records, 0),
  });
}
