import { projectIn } from '../client/project-folder.ts';
import { FEATURES } from '../features/features.ts';
import type { AgentService, RunningBriefly } from '../features/host.ts';
import { DECLARED_SETTINGS } from '../features/settings.ts';
import type { ToolTable } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import { type Config, type ConfigSources, loadConfig, loadConfigOnce } from '../settings/config.ts';
import type { LocalSession } from '../verbs/local-session.ts';
import { declaredBy } from './declared.ts';
import { upkeepAfterWrites } from './jobs.ts';
import { openLocalSession } from './local-session.ts';
import { openAgentServices, startServices } from './services.ts';

const { createTools } = lateFunctions(() => import('./create-tools.ts'), 'createTools');

/** What the process was started with. */
export type Told = Omit<ConfigSources, 'declared'>;

export type ForAgent = Pick<LocalSession, 'engine' | 'caller' | 'callerNow' | 'afterWrite'>;

const sourcesOf = (told: Told): ConfigSources => ({ ...told, declared: DECLARED_SETTINGS });

export function readSettings(told: Told): Config {
  return loadConfig(sourcesOf(told));
}

export async function loadTools(told: Told): Promise<ToolTable> {
  try {
    return await createTools(undefined, { config: loadConfigOnce(sourcesOf(told)) });
  } catch (error) {
    // settings that cannot be used are told to the first call that needs them
    if (error instanceof EngineError) return createTools();
    throw error;
  }
}

export function openServices(open: (service: AgentService) => RunningBriefly | null): Promise<RunningBriefly[]> {
  return openAgentServices(FEATURES, open);
}

export async function openForAgent(told: Told): Promise<ForAgent> {
  const { engine, caller, callerNow, config, log } = await openLocalSession(sourcesOf(told), 'mcp');
  const project = chooseProject(config.project);
  await startServices(declaredBy(FEATURES), told.env ?? {}, log);
  return {
    ...upkeepAfterWrites(engine, { everySeconds: config.upkeepSeconds, log }),
    caller: { ...caller, project },
    callerNow: async () => ({ ...(await callerNow()), project }),
  };
}

/** An agent is started where it works. */
function chooseProject(setting: string): string | undefined {
  if (setting === 'off') return undefined;
  return setting === 'auto' ? (projectIn(process.cwd()) ?? undefined) : setting;
}
