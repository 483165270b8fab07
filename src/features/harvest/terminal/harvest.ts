import { statSync } from 'node:fs';
import type { TranscriptAgent, TranscriptFile } from '../../../agents/agent-transcript.ts';
import { recogniseTranscript } from '../../../agents/find-transcripts.ts';
import { agentFolders } from '../../../agents/transcript-folders.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { projectFolder, projectIn } from '../../../client/project-folder.ts';
import { groupDigits } from '../../../model/group-digits.ts';
import type { Client } from '../../../verbs/client.ts';
import { chooseTranscripts } from '../choose-transcripts.ts';
import {
  DEFAULT_MIN_CONFIDENCE,
  describeHarvest,
  type Harvest,
  harvestFile,
  type StoredHarvest,
  storeHarvest,
} from '../harvest.ts';
import { nameProject, projectAt } from '../name-project.ts';
import type { StatementType } from '../statements/statement.ts';

const DEFAULT_SESSIONS = 5;

export async function harvest(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const options = {
    types: args.list('type') as StatementType[] | undefined,
    minConfidence: args.number('min-confidence', { min: 0, max: 1 }) ?? DEFAULT_MIN_CONFIDENCE,
    projectOf: projectIn,
  };
  const files = await chooseFiles(context);
  const stores = args.isOn('yes');
  const client = stores ? await context.client({ team: args.text('team') }) : null;
  const results: (StoredHarvest & { harvest: Harvest })[] = [];
  const progress = createProgress(terminal, args.isOn('quiet'));
  for (const [i, file] of files.entries()) {
    progress.show('Reading transcripts', i, files.length);
    const found = await harvestFile(file, options);
    if (found === null) terminal.warn(safeLine(`${file.path} is no chat that Cursor has exported.`));
    else results.push({ harvest: found, ...(await keep(found, client)) });
  }
  progress.end();
  const total = results.reduce((sum, { harvest: { candidates } }) => sum + candidates.length, 0);
  const rejected = results.reduce((sum, one) => sum + one.rejected, 0);
  const stored = results.reduce((sum, one) => sum + one.stored, 0);
  answer(
    { dry_run: !stores, results: results.map((one) => describeHarvest(one.harvest, one.stored, one.rejected)) },
    () => {
      for (const one of results) showHarvest(one.harvest, terminal);
      terminal.note(summarise({ sessions: results.length, total, stored, rejected, isDry: !stores }));
    },
  );
}

async function keep(found: Harvest, client: Client | null): Promise<StoredHarvest> {
  if (client === null) return { stored: 0, known: 0, rejected: 0 };
  return storeHarvest(found, {
    store: async (memories) => (await client.storeMemories({ memories })).outcomes,
    get: async (id) => (await client.getMemories({ ids: [id] })).memories[0] ?? null,
  });
}

/** What is named, or else the newest sessions of the project in this folder. */
async function chooseFiles(context: CommandContext): Promise<TranscriptFile[]> {
  const { args } = context;
  if (args.words.length === 0) return chooseNewest(context, null);
  const lists = args.words.map((word) => (isFolder(word) ? chooseNewest(context, word) : recogniseTranscript(word)));
  return (await Promise.all(lists)).flat();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** `folder`: of a project, or one that holds transcripts; null: where the command was called. */
async function chooseNewest({ args, env, terminal }: CommandContext, folder: string | null): Promise<TranscriptFile[]> {
  const folders = agentFolders(env);
  const naming = { folders, repositoryOf: projectFolder };
  const sessions = args.list('session');
  const isAnywhere = args.isOn('all-projects') || sessions !== undefined;
  const here = isAnywhere ? null : projectAt(process.cwd(), naming);
  const { files, total, problems } = await chooseTranscripts(folders, {
    agents: args.list('agent') as TranscriptAgent[] | undefined,
    limit: args.number('sessions', { min: 1, max: 100_000 }) ?? DEFAULT_SESSIONS,
    sessions,
    project: folder === null ? here : await nameProject(folder, naming),
  });
  for (const problem of problems) terminal.warn(safeLine(problem));
  if (files.length === 0 && total > 0)
    terminal.note(
      `None of the ${groupDigits(total)} transcripts here is the one you ask for; --all-projects reads those of all projects.`,
    );
  return files;
}

function showHarvest({ agent, session, project, messages, candidates, unreadable }: Harvest, terminal: Terminal): void {
  const about = [agent, session, project ?? 'no project', showCount(messages, 'message')];
  terminal.print(
    safeLine(`${about.join(' · ')}${unreadable > 0 ? ` · ${showCount(unreadable, 'line')} not readable` : ''}`),
  );
  for (const { type, text, confidence } of candidates)
    terminal.print(`  ${type.padEnd(10)} ${confidence.toFixed(2)}  ${safeLine(text)}`);
  if (candidates.length === 0) terminal.print('  nothing');
}

function summarise(told: {
  sessions: number;
  total: number;
  stored: number;
  rejected: number;
  isDry: boolean;
}): string {
  if (told.sessions === 0) return 'There are no transcripts to read.';
  const found = `${showCount(told.total, 'statement')} in ${showCount(told.sessions, 'session')}`;
  const left = told.rejected > 0 ? `, ${groupDigits(told.rejected)} left out as rejected` : '';
  if (!told.isDry) return `${found}; ${groupDigits(told.stored)} stored${left}, the others were there already.`;
  return told.total === 0 ? `${found}.` : `${found}. Nothing was stored: --yes stores them.`;
}
