import { TRANSCRIPT_AGENTS, type TranscriptAgent } from '../../agents/agent-transcript.ts';
import type { AgentFolders } from '../../agents/transcript-folders.ts';
import { projectFolder, projectIn } from '../../client/project-folder.ts';
import type { Harvest, HarvestStore } from '../../features/harvest/harvest.ts';
import type { NamedProject } from '../../features/harvest/name-project.ts';
import { STATEMENT_TYPES, type StatementType } from '../../features/harvest/statements/statement.ts';
import { jsonAnswer } from '../../mcp/tool.ts';
import { OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { lateFunctions } from '../../model/late.ts';
import { flag, label, text } from '../../verbs/field.ts';
import { defineServiceTool, type Tool, type ToolAnswer, type ToolContext } from './define-service-tool.ts';
import type { ServiceSettings } from './service-settings.ts';

const { chooseTranscripts } = lateFunctions(
  () => import('../../features/harvest/choose-transcripts.ts'),
  'chooseTranscripts',
);
const { nameProject, projectAt } = lateFunctions(
  () => import('../../features/harvest/name-project.ts'),
  'nameProject',
  'projectAt',
);

interface HarvestArguments {
  sessions?: number;
  session_ids?: string[];
  types?: string[];
  min_confidence?: number;
  dry_run?: boolean;
  project_path?: string;
  all_projects?: boolean;
  use_llm?: boolean;
  force_reharvest?: boolean;
  auto_commit?: boolean;
  agent_id?: string;
}

const MAX_SESSIONS = 100;

export function createHarvestTool({ transcripts }: ServiceSettings): Tool {
  return defineServiceTool<HarvestArguments>({
    name: 'memory_harvest',
    title: 'Harvest sessions',
    text: 'Find decisions, bugs, conventions and learnings in the transcripts of agents on this machine. Stores nothing unless dry_run is false.',
    action: 'write',
    idempotent: true,
    listed: {
      sessions: { type: 'integer', min: 1, max: MAX_SESSIONS, about: 'How many, the newest first (1)' },
      session_ids: { type: 'refs' },
      types: { type: 'names', about: STATEMENT_TYPES.join(', ') },
      min_confidence: { type: 'number', min: 0, max: 1 },
      dry_run: flag(),
      project_path: text('Folder of the project or of its transcripts; default: where this program runs', {
        max: 4096,
      }),
      all_projects: flag('Without project_path: of every project'),
      use_llm: flag(),
      force_reharvest: flag('Everything again: what is there is not stored twice'),
      auto_commit: flag('Store, as with dry_run: false'),
      agent_id: label('Only sessions of this agent'),
    },
    defaults: {
      sessions: 1,
      min_confidence: 0.6,
      dry_run: true,
      use_llm: false,
      force_reharvest: false,
      auto_commit: false,
      all_projects: false,
    },
    output: { dry_run: 'boolean', results: ['object'] },
    run: (context, args) => harvestTranscripts(context, args, transcripts),
  });
}

export async function harvestTranscripts(
  context: ToolContext,
  args: HarvestArguments,
  folders: AgentFolders,
): Promise<ToolAnswer> {
  refuseStrangers(context);
  const { DEFAULT_MIN_CONFIDENCE, describeHarvest, harvestFile, storeHarvest } = await import(
    '../../features/harvest/harvest.ts'
  );
  const isDry = args.dry_run ?? args.auto_commit !== true;
  const minConfidence = args.min_confidence ?? DEFAULT_MIN_CONFIDENCE;
  const options = { types: readTypes(args.types), minConfidence, projectOf: projectIn };
  const { files, total, problems } = await chooseTranscripts(folders, {
    agents: readAgents(args.agent_id),
    limit: args.sessions ?? 1,
    sessions: args.session_ids,
    project: await projectOf(args, folders),
  });
  const results = [];
  const warnings = new Set(problems);
  if (files.length === 0) warnings.add(tellNone(args, total));
  for (const file of files) {
    const read = await harvestFile(file, options);
    if (read === null) continue;
    const found = args.use_llm === true ? await keepWorthy(context, read, warnings) : read;
    const { stored, rejected } = isDry ? { stored: 0, rejected: 0 } : await storeHarvest(found, storeOf(context));
    results.push(describeHarvest(found, stored, rejected));
  }
  return jsonAnswer({ dry_run: isDry, results, ...(warnings.size > 0 && { warnings: [...warnings] }) });
}

/** A session that is named by its id is looked for everywhere, unless its project is named too. */
async function projectOf(args: HarvestArguments, folders: AgentFolders): Promise<NamedProject | null> {
  const naming = { folders, repositoryOf: projectFolder };
  if (args.project_path !== undefined) return nameProject(args.project_path, naming);
  const isAnywhere = args.all_projects === true || (args.session_ids ?? []).length > 0;
  return isAnywhere ? null : projectAt(process.cwd(), naming);
}

function readAgents(name: string | undefined): TranscriptAgent[] | undefined {
  return name === undefined ? undefined : TRANSCRIPT_AGENTS.filter((agent) => agent === name);
}

/** Nothing found is no reason to say nothing. */
function tellNone({ project_path: path, session_ids: ids = [], ...args }: HarvestArguments, total: number): string {
  if (total === 0)
    return args.agent_id === undefined
      ? 'There are no transcripts of agents on this machine.'
      : `There are no transcripts of the agent "${args.agent_id}"; those known are ${TRANSCRIPT_AGENTS.join(', ')}.`;
  if (ids.length > 0) return `None of the ${total} transcripts on this machine is of a session that session_ids names.`;
  return path === undefined
    ? `None of the ${total} transcripts on this machine is of the project in ${process.cwd()}; project_path names another, all_projects reads those of all.`
    : `None of the ${total} transcripts on this machine is of ${path}.`;
}

/** What a model calls worth less is left out. */
const WORTHY = 0.5;

/** Asks the operator's model about each; what it could not be asked about stays as the rules found it, and that is told. */
async function keepWorthy({ engine, caller }: ToolContext, found: Harvest, warnings: Set<string>): Promise<Harvest> {
  const texts = found.candidates.map(({ text }) => text);
  const { scores, notices } = await engine.scoreTexts(caller, texts);
  for (const notice of notices) warnings.add(`use_llm: ${notice} What the rules found was not judged.`);
  const candidates = found.candidates.flatMap((candidate, at) => {
    const score = scores[at] ?? null;
    if (score === null) return candidate;
    return score < WORTHY ? [] : { ...candidate, tags: [...candidate.tags, 'llm-verified'] };
  });
  return { ...found, candidates };
}

/** The files are those of whoever runs this program: nobody else's business. */
function refuseStrangers({ caller }: ToolContext): void {
  if (caller.userId === OWNER_USER && caller.scopes.has('admin')) return;
  throw new EngineError('forbidden', 'Transcripts on this machine belong to the person who runs ltm here.', {
    hint: 'Run `ltm harvest` on the machine where the agents run; it stores what it finds on the server you are signed in to.',
  });
}

function readTypes(given: readonly string[] | undefined): StatementType[] | undefined {
  return given?.map((name) => {
    const type = STATEMENT_TYPES.find((one) => one === name);
    if (type !== undefined) return type;
    throw new EngineError('invalid_input', `types: there is no "${name}".`, {
      hint: `There are ${STATEMENT_TYPES.join(', ')}.`,
      details: { field: 'types' },
    });
  });
}

function storeOf({ engine, caller }: ToolContext): HarvestStore {
  return {
    store: (memories) => engine.storeMemories(caller, memories),
    get: async (id) => (await engine.getMemories(caller, { refs: [id] })).memories[0] ?? null,
  };
}
