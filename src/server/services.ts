import type { Log } from '../engine/ports.ts';
import type { Feature } from '../features/feature.ts';
import type { Running, StartingServer } from '../features/host.ts';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/settings.ts';

/** When a server or the process of an agent starts. */
export async function startServices(declared: readonly Feature[], env: Environment, log: Log): Promise<void> {
  for (const { services } of declared) (await services?.start?.())?.(env, log);
}

/** Whatever can be wrong with them is found before anybody is answered; what comes back begins them. */
export async function openServices(declared: readonly Feature[], server: StartingServer): Promise<() => Running> {
  const starts: (() => Running)[] = [];
  for (const { services } of declared) {
    const start = await (await services?.server?.())?.(server);
    if (start != null) starts.push(start);
  }
  return () => {
    const running = starts.map((start) => start());
    return {
      async close() {
        await Promise.all(running.map((each) => each.close()));
      },
    };
  };
}

interface Listening {
  url: string;
  token: { file: string | null };
  close(): Promise<void>;
}

/** The server, which from now on is told to whoever looks for one, until it is closed. */
export async function announce<Served extends Listening>(
  declared: readonly Feature[],
  served: Served,
  { config, log }: { config: Config; log: Log },
): Promise<Served> {
  const takeBack: (() => void)[] = [];
  for (const { services } of declared) {
    const tell = await services?.listening?.();
    if (tell !== undefined) takeBack.push(tell(config, log, { url: served.url, tokenFile: served.token.file }));
  }
  const close = (): Promise<void> => {
    for (const each of takeBack) each();
    return served.close();
  };
  return { ...served, close };
}
