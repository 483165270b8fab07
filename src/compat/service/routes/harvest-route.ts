import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { flag, integer, label } from '../../../verbs/field.ts';
import { memoryHarvest } from '../harvest-tool.ts';
import { type CallWith, defineRoute, problem, type ServiceRoute } from './service-route.ts';

/** A name below the folder where Claude Code keeps its transcripts, and nothing that leads out of it. */
async function checkProject(path: string): Promise<void> {
  const { agentFolders } = await import('../../../transcripts/agent-folders.ts');
  const root = join(agentFolders().claude, 'projects');
  if (path === '' || /^[\\/~]|^[a-z]:|(^|[\\/])\.\.([\\/]|$)|\0/i.test(path))
    throw problem(400, 'project_path must be a name below ~/.claude/projects.');
  const real = realPath(join(root, path));
  const realRoot = realPath(root);
  if (real === null || realRoot === null) throw problem(404, 'There are no transcripts of this project.');
  if (!real.startsWith(realRoot + sep)) throw problem(400, 'project_path must be a name below ~/.claude/projects.');
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null; // told as missing
  }
}

const HARVESTED = {
  sessions: integer(1, 100),
  session_ids: { type: 'refs' },
  types: { type: 'refs' },
  min_confidence: { type: 'number', min: 0, max: 1 },
  dry_run: flag(),
  project_path: label(undefined, { isRequired: true }),
  use_llm: flag(),
  force_reharvest: flag(),
  auto_commit: flag(),
  agent_id: label(),
} as const;

async function harvest(call: CallWith<{ body: typeof HARVESTED }>): Promise<object> {
  await checkProject(call.body.project_path);
  return (await memoryHarvest.run(call, call.body)).structured;
}

export const HARVEST_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /harvest',
    needs: 'write',
    body: HARVESTED,
    handle: harvest,
  }),
];
