import type { Agent, Place, Wiring } from '../../../agents/agent.ts';
import { AGENTS } from '../../../agents/agents.ts';
import { ask, confirmPlan } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { dropClaudeHook, settingsOf } from '../../../cli/machine/claude-hook.ts';
import { findPrograms, type Programs } from '../../../cli/machine/find-program.ts';
import { carriedVariables, installedAt, keepingFolder, placeOf } from '../../../cli/machine/setup-place.ts';
import { type ServiceOutcome, serviceOf, startService, stopService } from '../../../cli/machine/setup-service.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, safeText, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { projectName } from '../../../client/project-folder.ts';
import { diffLines } from '../../../model/diff-lines.ts';
import type { EngineError } from '../../../model/errors.ts';
import { nearestName } from '../../../model/nearest-name.ts';
import { VERSION } from '../../../model/version.ts';
import { removeSpans } from '../../../privacy/remove-spans.ts';
import { replaceSecrets } from '../../../privacy/replace-secrets.ts';
import { ingestFile, type NoteStore } from '../../sessions/verbs/ingest-file.ts';
import { type Applied, applyPlans, type Problem, rememberInJournal, undoSetup } from '../apply-setup.ts';
import { findNotes } from '../find-notes.ts';
import { type AgentPlan, describeProblem, type FileChange, isThere, planAgent, wiringFor } from '../plan-setup.ts';
import { readJournal } from '../setup-journal.ts';
import { keepServer, undoServer } from './setup-server.ts';

const NEW_LINES = 12;

export async function setup(context: CommandContext): Promise<number> {
  const { args } = context;
  if (args.isOn('undo')) return undo(context);
  for (const name of ['token', 'sync-token', 'machine'])
    if (args.text(name) !== undefined && args.text('url') === undefined)
      throw new UsageError(`--${name} needs --url.`, 'Give the address of the server too.');
  const place = placeOf(context);
  const programs = findPrograms(installedAt(context), VERSION);
  const service = args.isOn('service') ? serviceOf(context, place) : null;
  const agents = [...chooseAgents(context, place), ...(service === null ? [] : [service.agent])];
  const env = carriedVariables(context);
  const plans = agents.map((agent) =>
    planAgent(agent, place, wiringFor(agent, place, programs, env), args.isOn('no-hooks')),
  );
  if (!context.json) showPlans(plans, context, programs);
  const folder = keepingFolder(context);
  const isWanted = !args.isOn('dry-run') && (await isAgreed(context, plans));
  if (!isWanted)
    return report(context, { plans, isWanted, applied: [], problems: [], server: null, service: null, notes: null });
  const server = args.text('url') === undefined ? null : await keepServer(context, folder);
  const { applied, problems } = applyPlans(plans, { folder, now: new Date() });
  const failed = plans.flatMap(({ agent, problem }) => (problem === null ? [] : [agent.name]));
  failed.push(...problems.map(({ agent }) => agent));
  const outcome = service === null || failed.includes(service.agent.name) ? null : startService(service, place.env);
  const notes = (await wantsNotes(context, place, folder)) ? await takeInNotes(context, place) : null;
  return report(context, { plans, isWanted, applied, problems, server, service: outcome, notes });
}

/** Once somebody has asked for them, each set-up looks whether they have changed. */
async function wantsNotes(context: CommandContext, place: Place, folder: string): Promise<boolean> {
  const { args, terminal } = context;
  if (readJournal(folder).notes) return true;
  const isAsked = terminal.isInteractive && !args.isOn('yes') && !context.json;
  const count = isAsked && !args.isOn('notes') ? findNotes(place).notes.length : 0;
  const question = `Also take in ${showCount(count, 'file')} that you wrote for agents (CLAUDE.md, AGENTS.md, memories, skills)?`;
  const isWanted = args.isOn('notes') || (count > 0 && (await ask(question, terminal)));
  if (isWanted) rememberInJournal(folder, { notes: true });
  return isWanted;
}

/** Where nothing would change, nobody is asked. */
async function isAgreed({ args, terminal }: CommandContext, plans: readonly AgentPlan[]): Promise<boolean> {
  const isChanging = plans.some(({ changes }) => changes.some(({ isChanged }) => isChanged));
  if (args.isOn('yes') || (!isChanging && args.text('url') === undefined)) return true;
  return confirmPlan(terminal, 'Do that?');
}

function chooseAgents({ args }: CommandContext, place: Place): Agent[] {
  const names = args.list('agents');
  if (names === undefined) return AGENTS.filter((agent) => isThere(agent, place));
  return names.map((name) => AGENTS.find((agent) => agent.name === name) ?? unknownAgent(name));
}

function unknownAgent(name: string): never {
  const names = AGENTS.map((agent) => agent.name);
  const nearest = nearestName(name, names);
  throw new UsageError(
    `"${name}" is not the name of an agent.`,
    nearest === null ? `Known: ${names.join(', ')}.` : `Did you mean "${nearest}"?`,
  );
}

function showPlans(plans: readonly AgentPlan[], { terminal, args }: CommandContext, { isPassing }: Programs): void {
  const { print, paint, note } = terminal;
  if (plans.length === 0) {
    note(`No agent was found here. --agents names one: ${AGENTS.map(({ name }) => name).join(', ')}.`);
    return;
  }
  for (const { agent, changes, problem } of plans) {
    const changed = changes.filter(({ isChanged }) => isChanged);
    const state =
      problem !== null ? paint('red', 'cannot be set up') : changed.length === 0 ? 'is set up' : 'will be set up';
    print(`${paint('bold', agent.title)} (${agent.name}) ${state}`);
    if (problem !== null) print(`  ${safeLine(problem.message)} ${safeLine(problem.hint ?? '')}`);
    for (const change of changed) showChange(change, terminal);
  }
  if (isPassing && !args.isOn('no-hooks'))
    note(
      'Run by npx, ltm has no lasting place for hooks. Install it (`npm install -g` with the package or its tarball); then `ltm setup` adds them.',
    );
}

/** The lines as they would change; of a new file no more than its beginning. Secrets that stand beside them are not shown. */
function showChange({ path, before, after }: FileChange, { print, paint }: Terminal): void {
  print(`  ${before === null ? 'new' : 'change'} ${path}`);
  const lines = diffLines(before?.toString('utf8') ?? '', after.toString('utf8'));
  const shown = before === null ? lines.slice(0, NEW_LINES) : lines;
  for (const line of shown) {
    const style = line[0] === '+' ? 'green' : line[0] === '-' ? 'red' : 'dim';
    print(`    ${paint(style, safeText(replaceSecrets(line).text))}`);
  }
  if (lines.length > shown.length) print(`    ${paint('dim', `… ${lines.length - shown.length} more lines`)}`);
}

interface Report {
  plans: readonly AgentPlan[];
  isWanted: boolean;
  applied: readonly Applied[];
  problems: readonly Problem[];
  server: string | null;
  service: ServiceOutcome | null;
  notes: TakenNotes | null;
}

function report(
  context: CommandContext,
  { plans, isWanted, applied, problems, server, service, notes }: Report,
): number {
  const isDryRun = context.args.isOn('dry-run');
  const { answer, terminal } = context;
  const known = AGENTS.map(({ name }) => name);
  const agents = plans.map(({ agent, isFound, changes, problem }) => ({
    name: agent.name,
    title: agent.title,
    found: isFound,
    hooks: agent.hasHooks,
    files: changes.map(({ path, before, isChanged }) => ({
      path,
      change: isChanged ? (before === null ? 'create' : 'edit') : 'none',
    })),
    problem: problem === null ? null : describe(problem),
    wants: agent.wants,
  }));
  const failed = problems.map(({ agent, path, problem }) => ({ agent, path, ...describe(problem) }));
  answer({ agents, dryRun: isDryRun, applied, problems: failed, server, service, notes, known }, () => {
    const { print } = terminal;
    if (isDryRun) print('Nothing was written.');
    else if (!isWanted) print('Nothing was changed.');
    else if (applied.length === 0 && failed.length === 0 && plans.length > 0) print('Everything was up to date.');
    for (const { path, backup } of applied)
      print(backup === null ? `made ${path}` : `changed ${path}  (backup: ${backup})`);
    for (const { path, message, hint } of failed)
      terminal.warn(`${safeLine(path)}: ${safeLine(message)} ${safeLine(hint)}`);
    if (service?.running === true) print('`ltm serve` runs as a service. `ltm logs` shows its log.');
    if (service?.problem != null) terminal.warn(`The service could not be started. ${service.problem}`);
    if (notes !== null) showNotes(notes, terminal);
    if (isWanted || isDryRun) showWants(context, plans);
  });
  const isWell = failed.length === 0 && plans.every(({ problem }) => problem === null) && service?.problem == null;
  return isWell ? EXIT.ok : EXIT.failure;
}

function showNotes({ found, ingested, unchanged, skipped }: TakenNotes, { print, note }: Terminal): void {
  print(`${showCount(found, 'file')} that you wrote for agents: ${ingested} taken in, ${unchanged} unchanged.`);
  for (const { path, reason } of skipped) note(`left out ${safeLine(path)}: ${reason}`);
}

function showWants({ terminal: { print, paint } }: CommandContext, plans: readonly AgentPlan[]): void {
  const wanting = plans.filter(({ agent, problem }) => problem === null && agent.wants.length > 0);
  if (wanting.length > 0) print('\nStill to do by you:');
  for (const { agent } of wanting) for (const want of agent.wants) print(`  ${paint('bold', agent.title)}: ${want}`);
}

function describe({ code, message, hint }: EngineError): { code: string; message: string; hint: string } {
  return { code, message, hint: hint ?? '' };
}

async function undo(context: CommandContext): Promise<number> {
  const { args, terminal, answer } = context;
  const isDryRun = args.isOn('dry-run');
  const place = placeOf(context);
  const { whole } = findPrograms(installedAt(context), VERSION);
  const wiring: Wiring = {
    program: whole.program,
    hook: whole.hook ?? { command: 'ltm-hook', args: [] },
    env: {},
    platform: place.platform,
  };
  const names = args
    .list('agents')
    ?.map((name) => (AGENTS.some((agent) => agent.name === name) ? name : unknownAgent(name)));
  const only = names === undefined ? undefined : new Set(names);
  const service = serviceOf(context, place);
  const undoing = { folder: keepingFolder(context), agents: [...AGENTS, service.agent], place, wiring, only };
  const planned = undoSetup({ ...undoing, isDryRun: true });
  const takesHook = only === undefined || only.has('claude-code');
  const hook = takesHook ? takeOutHook(context, { isDryRun: true }) : null;
  addTaken(planned, hook);
  if (!context.json) {
    for (const { path, how } of planned.undone) terminal.print(`${SAID[how].will} ${path}`);
    if (planned.undone.length === 0) terminal.print('No file of an agent has anything of ltm in it.');
  }
  const isWanted =
    !isDryRun && (args.isOn('yes') || planned.undone.length === 0 || (await confirmPlan(terminal, 'Do that?')));
  if (isWanted && (only === undefined || only.has(service.agent.name))) stopService(service, place);
  // set-up has written what was there before the hook of `ltm sync`, or has come after it
  if (isWanted && takesHook) takeOutHook(context, { onlyAsItWas: true });
  const outcome = isWanted ? undoSetup(undoing) : { undone: [], problems: planned.problems };
  if (isWanted && takesHook) addTaken(outcome, { path: hook?.path ?? null, problem: takeOutHook(context, {}).problem });
  const { undone, problems } = outcome;
  const server = isWanted && only === undefined ? await undoServer(context, keepingFolder(context)) : null;
  if (isWanted && only === undefined) rememberInJournal(keepingFolder(context), { notes: false });
  const failed = problems.map(({ agent, path, problem }) => ({ agent, path, ...describe(problem) }));
  answer({ undone: isDryRun ? planned.undone : undone, dryRun: isDryRun, problems: failed, server }, () => {
    for (const { path, how } of undone) terminal.print(`${SAID[how].done} ${path}`);
    if (server !== null) terminal.print(`signed out of ${server}`);
    if (isDryRun) terminal.print('Nothing was written.');
    for (const { path, message, hint } of failed)
      terminal.warn(`${safeLine(path)}: ${safeLine(message)} ${safeLine(hint)}`);
  });
  return failed.length > 0 ? EXIT.failure : EXIT.ok;
}

interface TakenHook {
  /** Null: there was none. */
  path: string | null;
  problem: Problem | null;
}

/** The hook of `ltm sync install-schedule`, which stands in a file that set-up writes too. */
function takeOutHook(context: CommandContext, options: Parameters<typeof dropClaudeHook>[1]): TakenHook {
  try {
    return { path: dropClaudeHook(context, options), problem: null };
  } catch (error) {
    const path = settingsOf(context);
    return { path: null, problem: { agent: 'claude-code', path, problem: describeProblem(error, path) } };
  }
}

function addTaken({ undone, problems }: ReturnType<typeof undoSetup>, taken: TakenHook | null): void {
  if (taken === null) return;
  const { path, problem } = taken;
  if (path !== null && !undone.some((one) => one.path === path)) undone.push({ path, how: 'cleared' });
  if (problem !== null && !problems.some((one) => one.path === problem.path)) problems.push(problem);
}

const SAID = {
  restored: { will: 'will restore', done: 'restored, as it was:' },
  removed: { will: 'will remove', done: 'removed' },
  cleared: { will: 'will take ltm out of', done: 'took ltm out of' },
  untouched: { will: 'will leave', done: 'left' },
} as const;

interface TakenNotes {
  found: number;
  ingested: number;
  unchanged: number;
  skipped: { path: string; reason: string }[];
}

/** What people have written for agents already becomes memories, near or far; what has changed since takes the place of what was there. */
async function takeInNotes(context: CommandContext, place: Place): Promise<TakenNotes> {
  const { notes, skipped } = findNotes(place);
  const out: TakenNotes = { found: notes.length, ingested: 0, unchanged: 0, skipped: [...skipped] };
  if (notes.length === 0) return out;
  const client = await context.client();
  const store: NoteStore = {
    find: async (key) => (await client.getMemories({ ids: [key] })).memories[0],
    store: (input) => client.storeMemory(input),
  };
  for (const { path, kind, text, hash, folder } of notes) {
    const project = folder === null ? undefined : projectName(folder);
    const file = { path, hash, source: kind, project, content: removeSpans(text).text };
    const result = await ingestFile(store, file);
    if (result === 'skipped') out.skipped.push({ path, reason: 'nothing of it is left to store' });
    else out[result] += 1;
  }
  return out;
}
