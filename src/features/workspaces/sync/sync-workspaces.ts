import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { agentFolders } from '../../../agents/transcript-folders.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { readObjectFrom } from '../../../cli/read-stdin.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine, showBytes, showCount } from '../../../cli/safe-text.ts';
import { projectName } from '../../../client/project-folder.ts';
import { readHost } from '../../../model/host-name.ts';
import { workspaceIdOf } from '../../../model/workspace-id.ts';
import { connectSync } from './connect-sync.ts';
import { installSync } from './install-sync.ts';
import { newSyncReport, runHook, runSync, type SyncReport } from './run-sync.ts';
import { type Manifest, openSyncHome, readManifests, takeLock, writeManifest, writeSyncConfig } from './sync-home.ts';

/** Prepares this machine: a manifest for the project of this folder, with the notes that Claude Code keeps of it. */
async function syncInit({ args, env, answer }: CommandContext): Promise<number> {
  const home = openSyncHome(env);
  const url = args.text('url');
  const machine = args.text('machine') ?? home.config.machine;
  const cwd = resolve(args.text('cwd') ?? '.');
  const tool = args.text('tool') ?? 'claude-code';
  const project = args.list('project')?.[0] ?? projectName(cwd);
  writeSyncConfig(home, { machine, ...(url !== undefined && { url: readHost(url) }) });
  const id = workspaceIdOf({ machine, tool, project });
  const known = readManifests(home).manifests.find((one) => workspaceIdOf(one) === id);
  const memory = join(agentFolders(env).claude, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
  const manifest: Manifest = known ?? {
    workspaceId: id,
    machine,
    tool,
    project,
    cwd,
    tracked: [],
    trackedDirs: [{ local: memory, uploadPrefix: 'auto/', glob: '*.md' }],
  };
  const file = known === undefined ? writeManifest(home, id, manifest) : join(home.folder, 'manifests', `${id}.json`);
  answer({ workspaceId: id, file, created: known === undefined }, `${known === undefined ? 'Wrote' : 'Left'} ${file}`);
  return EXIT.ok;
}

async function syncRun(context: CommandContext): Promise<number> {
  const { args, env, terminal, answer } = context;
  const home = openSyncHome(env);
  const unlock = takeLock(home);
  if (unlock === null) {
    answer({ outcome: 'busy' }, 'Another run is under way.');
    return EXIT.ok;
  }
  const progress = createProgress(terminal, args.isOn('quiet'));
  const report = newSyncReport();
  try {
    const { client, host } = await connectSync(context, home);
    await runSync({ client, home, env, report, onProgress: progress.show });
    progress.end();
    answer({ outcome: 'synced', host, ...report }, () => showReport(report, context));
  } finally {
    progress.end();
    unlock();
  }
  return report.failed.length > 0 ? EXIT.failure : EXIT.ok;
}

function showReport(report: SyncReport, { terminal }: CommandContext): void {
  const { uploaded, downloaded, conflicts, sessions, warnings, failed } = report;
  for (const path of uploaded) terminal.print(safeLine(`sent      ${path}`));
  for (const path of downloaded) terminal.print(safeLine(`fetched   ${path}`));
  for (const path of conflicts) terminal.print(safeLine(`conflict  ${path}: the other text lies beside it`));
  for (const { session, bytes, sent } of sessions)
    terminal.print(safeLine(`session   ${session}  ${showBytes(sent)} of ${showBytes(bytes)}`));
  for (const warning of [...warnings, ...failed]) terminal.warn(safeLine(warning));
  const notes = uploaded.length + downloaded.length;
  terminal.note(`${showCount(notes, 'note')} and ${showCount(sessions.length, 'session')} synced.`);
}

async function syncTest(context: CommandContext): Promise<number> {
  const { client, host } = await connectSync(context, openSyncHome(context.env));
  const { workspaces } = await client.listWorkspaces({});
  const where = host ?? 'the database of this machine';
  context.answer({ host, workspaces: workspaces.length }, `${where}: ${showCount(workspaces.length, 'workspace')}`);
  return EXIT.ok;
}

async function syncStatus({ env, terminal, answer }: CommandContext): Promise<number> {
  const home = openSyncHome(env);
  const { manifests, problems } = readManifests(home);
  const { notes, sessions } = home.readState();
  const facts = {
    folder: home.folder,
    ...home.config,
    manifests: manifests.map((manifest) => ({ workspaceId: workspaceIdOf(manifest), cwd: manifest.cwd })),
    notes: Object.keys(notes).length,
    sessions: Object.keys(sessions).length,
  };
  answer(facts, () => {
    terminal.print(`folder     ${safeLine(home.folder)}`);
    terminal.print(`server     ${safeLine(home.config.url ?? 'the one that this machine uses')}`);
    terminal.print(
      `machine    ${safeLine(home.config.machine)}${home.config.machine === hostname() ? '' : ' (by its config)'}`,
    );
    for (const { workspaceId } of facts.manifests) terminal.print(`manifest   ${safeLine(workspaceId)}`);
    terminal.print(`synced     ${showCount(facts.notes, 'note')}, ${showCount(facts.sessions, 'session')}`);
    for (const problem of problems) terminal.warn(safeLine(problem));
  });
  return EXIT.ok;
}

const STDIN_MS = 2000;
/** The end of a session must not wait for a slow server; the next run sends what is left. */
const HOOK_MS = 20_000;

/** Called by Claude Code at the end of a session. Says nothing, takes no longer than it may, and never fails. */
async function syncClaudeHook(context: CommandContext): Promise<number> {
  const { fields } = await readObjectFrom(0, STDIN_MS);
  try {
    const home = openSyncHome(context.env);
    const unlock = takeLock(home);
    if (unlock === null) return EXIT.ok;
    try {
      const { client } = await connectSync(context, home, AbortSignal.timeout(HOOK_MS));
      await runHook({ client, home, env: context.env, report: newSyncReport() }, fields ?? {});
    } finally {
      unlock();
    }
  } catch {
    // whatever is wrong, the agent has its own work; the next run tells
  }
  process.exitCode = EXIT.ok;
  return EXIT.ok;
}

async function syncInstallSchedule(context: CommandContext): Promise<number> {
  return installSync(context);
}

/** What `ltm sync` does with notes and sessions. */
export const SYNC_ACTIONS = {
  run: syncRun,
  status: syncStatus,
  init: syncInit,
  test: syncTest,
  'claude-hook': syncClaudeHook,
  'install-schedule': syncInstallSchedule,
} as const;
