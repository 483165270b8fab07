import type { Log } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import { budgetOf, type Config, grantedMemory } from '../../settings/config.ts';
import { boundMemory } from '../bound-memory.ts';
import { type ServedHttp, startWorker } from '../start-server.ts';
import { joinPeers, openChannel, type WorkerPlace } from './peers.ts';

/** Answers beside the others until it is told to stop, or `end` says so. */
export async function runWorker(
  config: Config,
  { log, place, end }: { log: Log; place: WorkerPlace; end: Promise<void> },
): Promise<void> {
  const channel = openChannel();
  // without the process that holds the port there is nothing to answer
  process.once('disconnect', () => process.exit(0));
  const peers = joinPeers(place, channel);
  const told = new Promise<void>((resolve) => channel.receive(({ type }) => type === 'stop' && resolve()));
  let served: ServedHttp;
  try {
    served = await startWorker(shareOf(config, place), log, peers);
  } catch (error) {
    channel.send({ type: 'failed', ...describe(error) }, () => process.disconnect());
    throw error;
  }
  boundMemory();
  channel.send({ type: 'started' });
  await Promise.race([told, end]);
  await served.close();
  process.disconnect();
}

/** All workers together keep what one would. */
function shareOf(config: Config, { count }: WorkerPlace): Config {
  const budget = budgetOf(config, grantedMemory());
  const indexBudgetMb = Math.max(1, Math.floor(budget / 2 ** 20 / count));
  const origin = { ...config.origin, indexBudgetMb: { source: 'flag', name: 'workers' } as const };
  return { ...config, indexBudgetMb, origin };
}

function describe(error: unknown) {
  if (!(error instanceof EngineError)) return { code: 'internal', message: String(error) };
  const { code, message, hint, details } = error;
  return { code, message, hint, details };
}
