import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { AgentFolders } from '../../../agents/transcript-folders.ts';
import { flag, integer, label, text } from '../../../verbs/field.ts';
import { harvestTranscripts } from '../harvest-tool.ts';
import { type CallWith, defineRoute, problem, type ServiceRoute } from './service-route.ts';

/** A name below the folder where Claude Code keeps its transcripts, and nothing that leads out of it. */
function checkProject(path: string, { claude }: AgentFolders): void {
  const root = join(claude, 'projects');
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
  project_path: text(undefined, { isRequired: true, max: 4096 }),
  use_llm: flag(),
  force_reharvest: flag(),
  auto_commit: flag(),
  agent_id: label(),
} as const;

async function harvest(call: CallWith<{ body: typeof HARVESTED }>): Promise<object> {
  const { transcripts } = call.settings;
  const path = call.body.project_path.trim();
  checkProject(path, transcripts);
  const project_path = join(transcripts.claude, 'projects', path);
  return (await harvestTranscripts(call, { ...call.body, project_path }, transcripts)).structured;
}

export const HARVEST_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /harvest',
    needs: 'write',
    body: HARVESTED,
    handle: harvest,
  }),
];
