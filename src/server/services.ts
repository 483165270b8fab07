import type { Log } from '../engine/ports.ts';
import type { Feature } from '../features/feature.ts';
import type { AgentService, CommandService, Running, RunningBriefly, StartingServer } from '../features/host.ts';
import type { Config } from '../settings/config.ts';
import { hasFiles } from '../settings/list-names.ts';
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

type OpenedNear = Parameters<Awaited<ReturnType<CommandService['near']>>>[0];

function isDue(command: CommandService | undefined, { places }: Config): command is CommandService {
  return command !== undefined && hasFiles(places[command.due.place], command.due.endings);
}

/** Before a command works on the database of this machine. */
export async function tendNear(declared: readonly Feature[], opened: OpenedNear): Promise<void> {
  for (const { services } of declared)
    if (isDue(services?.command, opened.config)) await (await services.command.near())(opened);
}

/** Before a command asks a server. */
export async function tendFar(declared: readonly Feature[], config: Config, env: Environment): Promise<void> {
  for (const { services } of declared)
    if (isDue(services?.command, config)) await (await services.command.far())(config, env);
}

/** What goes on while an agent is served. */
export async function openAgentServices(
  declared: readonly Feature[],
  open: (service: AgentService) => RunningBriefly | null,
): Promise<RunningBriefly[]> {
  const opened = await Promise.all(
    declared.map(async ({ services }) => {
      const service = await services?.agent?.();
      return service === undefined ? null : open(service);
    }),
  );
  return opened.filter((each) => each !== null);
}
