import { flag, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Overview } from '../list-workspaces.ts';
import type { Registered, RegisterInput } from '../register-workspace.ts';
import type { MemoryIdentity, Workspace } from '../workspace.ts';

/** The workspace that a path names. */
export const workspace = label('The id of a workspace.', { isRequired: true });

export const version = label('An earlier text: its name or its revision.');

export const writeToken = text('The write token of the workspace.', { max: 200 });

export const registerWorkspace = defineVerb<Omit<RegisterInput, 'boundTo' | 'wantsToken'>, Registered>({
  needs: 'register',
  input: {
    machine: label('The name of the machine.', { isRequired: true }),
    tool: label('The agent or program, such as claude-code.', { isRequired: true }),
    project: label('The project.', { isRequired: true }),
    description: text('What it is about.', { max: 2000 }),
    rotate: flag('Make a new write token; the one before is worth nothing then.'),
  },
  async run({ engine, caller }, input) {
    const { keepsTokens } = await import('../register-workspace.ts');
    return engine.registerWorkspace(caller, { ...input, wantsToken: keepsTokens(caller) });
  },
  rest: {
    at: 'POST /workspaces',
    summary: 'Register a workspace: a machine, a tool and a project',
    example: { body: { machine: 'laptop', tool: 'claude-code', project: 'shop' } },
    answers: { 200: 'The same triple gives the same workspace. `write_token` is for those who may upload.' },
  },
});

export const listWorkspaces = defineVerb<object, { workspaces: Omit<Workspace, 'overview'>[] }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({
    workspaces: (await engine.listWorkspaces(caller)).map(({ overview: _, ...workspace }) => workspace),
  }),
  rest: {
    at: 'GET /workspaces',
    summary: 'List workspaces, with what each holds',
    answers: { 200: 'By id.' },
  },
  command: {
    name: 'workspaces',
    summary: 'List workspaces: machines, tools and projects with their notes and transcripts',
    usage: '',
    flags: [],
    maxWords: 0,
    examples: ['ltm workspaces'],
  },
});

export const getWorkspace = defineVerb<{ workspace: string }, Workspace>({
  needs: 'read',
  input: { workspace },
  run: ({ engine, caller }, input) => engine.getWorkspace(caller, input.workspace),
  rest: {
    at: 'GET /workspaces/{workspace}',
    summary: 'Get a workspace with its overview',
    answers: { 200: 'The workspace.' },
  },
});

export const identifyMemory = defineVerb<object, MemoryIdentity>({
  needs: 'read',
  input: {},
  run: ({ engine, caller }) => engine.identifyMemory(caller),
  rest: {
    at: 'GET /identity',
    summary: 'Ask which memory this is, and how far it has come: what keeps a copy of it knows it again',
    answers: { 200: 'The same name for as long as it is this memory, wherever its database is moved.' },
  },
});

export const getOverview = defineVerb<object, { welcome: string; workspaces: Workspace[] }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({
    welcome: await engine.readWelcome(caller),
    workspaces: await engine.listWorkspaces(caller),
  }),
  rest: {
    at: 'GET /overview',
    summary: "The operator's welcome text and the overview of every workspace",
    answers: { 200: 'The welcome text is empty where there is none.' },
  },
});

export const readOverview = defineVerb<{ workspace: string; version?: string }, Overview>({
  needs: 'read',
  input: { workspace, version },
  run: ({ engine, caller }, input) => engine.readOverview(caller, input),
  rest: {
    at: 'GET /workspaces/{workspace}/overview',
    summary: 'Read the overview of a workspace, or an earlier text of it, and which texts it has had',
    answers: { 200: 'The text to the byte, and the names of all of them, newest first.' },
  },
  command: {
    name: 'overview',
    summary: 'Print the overview of a workspace, or an earlier text of it',
    usage: 'WORKSPACE [--version NAME]',
    words: 'workspace',
    flags: ['version'],
    maxWords: 1,
    examples: ['ltm overview laptop-claude-code-shop', 'ltm overview laptop-claude-code-shop --version 1'],
  },
});

export const writeOverview = defineVerb<
  { workspace: string; content: string },
  { workspaceId: string; outcome: string }
>({
  needs: 'tend',
  input: {
    workspace,
    content: text('Markdown; replaces the overview that is there.', { isRequired: true, isVerbatim: true }),
  },
  run: ({ engine, caller }, input) => engine.writeOverview(caller, input),
  rest: {
    at: 'PUT /workspaces/{workspace}/overview',
    summary: 'Write the overview of your own workspace; the earlier text stays a version',
    example: { body: { content: '# Shop\n\nThe checkout is being rewritten.' } },
    answers: { 200: 'Written, or the same as before.' },
  },
});

export const setRedaction = defineVerb<
  { workspace: string; redact: boolean },
  { workspaceId: string; redact: boolean }
>({
  needs: 'admin',
  input: {
    workspace,
    redact: { type: 'flag', isRequired: true, about: 'Whether secrets in what is uploaded are replaced.' },
  },
  run: ({ engine, caller }, input) => engine.setRedaction(caller, input),
  rest: {
    at: 'PUT /workspaces/{workspace}/redaction',
    summary: 'Say whether secrets in what is uploaded to a workspace are replaced; by default they are',
    example: { body: { redact: false } },
    answers: { 200: 'It holds for what is uploaded from now on.' },
  },
});
