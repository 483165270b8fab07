import { keepsTokens } from '../../features/workspaces/register-workspace.ts';
import { MAX_NOTE_BYTES, MAX_OVERVIEW_BYTES } from '../../features/workspaces/workspace.ts';
import { defineTool, jsonAnswer } from '../../mcp/tool.ts';
import { flag, label, text } from '../../verbs/field.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import { path, workspaceId } from './describe-workspace.ts';

interface RegisterArguments {
  machine: string;
  tool: string;
  project: string;
  description?: string;
  rotate?: boolean;
  rebind?: boolean;
}

export const registerWorkspace = defineTool<RegisterArguments>({
  name: 'register_workspace',
  title: 'Register and bind a workspace',
  text: 'Say which machine, tool and project this session is. Only then can its own overview and notes be changed.',
  action: 'register',
  idempotent: true,
  listed: {
    machine: label('', { isRequired: true }),
    tool: label('Such as claude-code', { isRequired: true }),
    project: label('', { isRequired: true }),
    description: text('What it is about', { max: 2000 }),
  },
  unlisted: { rotate: flag(), rebind: flag() },
  output: { workspace_id: 'string', bound: 'boolean', created: 'boolean', write_token: 'string' },
  async run(context, { rebind = false, ...input }) {
    const { engine, caller } = context;
    const wantsToken = keepsTokens(caller);
    const boundTo = (rebind ? null : context.session?.workspace) ?? undefined;
    const given = { ...input, wantsToken, ...(!wantsToken && { boundTo }) };
    const { workspaceId: id, created, writeToken } = await engine.registerWorkspace(caller, given);
    if (wantsToken) return jsonAnswer({ workspace_id: id, write_token: writeToken, created });
    const bound = bindTo(context, id);
    const hint = 'This connection keeps nothing from call to call: add ?workspace=ID to its address.';
    return jsonAnswer({ workspace_id: id, bound, created, ...(!bound && { hint }) });
  },
});

/** Whether what follows will be taken for this workspace's. */
function bindTo({ caller, session }: VerbContext, id: string): boolean {
  if (caller.workspaceIsFixed === true) return caller.workspace === id;
  if (session === undefined) return false;
  session.workspace = id;
  return true;
}

export const writeOverview = defineTool<{ content: string; workspace_id?: string }>({
  name: 'write_overview',
  title: 'Write the overview of this workspace',
  text: 'Replace the overview of the workspace that this session is bound to.',
  action: 'tend',
  destructive: true,
  idempotent: true,
  listed: { content: text('Markdown', { isRequired: true, isVerbatim: true, max: MAX_OVERVIEW_BYTES }) },
  unlisted: { workspace_id: label() },
  output: { workspace_id: 'string', status: 'string' },
  async run({ engine, caller }, { content, workspace_id: workspace }) {
    const { workspaceId: id, outcome } = await engine.writeOverview(caller, { content, workspace });
    return jsonAnswer({ workspace_id: id, status: outcome });
  },
});

export const deleteKnowledge = defineTool<{ path: string; workspace_id?: string }>({
  name: 'delete_knowledge',
  title: 'Delete a note of this workspace',
  text: 'Delete a note of the workspace that this session is bound to. Its text stays as a version.',
  action: 'tend',
  destructive: true,
  listed: { path },
  unlisted: { workspace_id: label() },
  output: { workspace_id: 'string', path: 'string', deleted: 'boolean' },
  async run({ engine, caller }, { path: name, workspace_id: workspace }) {
    const deleted = await engine.deleteNote(caller, { path: name, workspace });
    return jsonAnswer({ workspace_id: deleted.workspaceId, path: deleted.path, deleted: true });
  },
});

interface UploadArguments {
  workspace_id: string;
  write_token?: string;
  path: string;
  content: string;
}

export const uploadKnowledge = defineTool<UploadArguments>({
  name: 'upload_knowledge',
  title: 'Upload a note',
  text: 'For programs: write a note of a workspace, with its write token.',
  action: 'upload',
  destructive: true,
  idempotent: true,
  listed: {
    workspace_id: workspaceId,
    write_token: text('', { isRequired: true, max: 200 }),
    path,
    content: text('Markdown', { isRequired: true, isVerbatim: true, max: MAX_NOTE_BYTES }),
  },
  output: { status: 'string', sha256: 'string', version: 'string' },
  async run({ engine, caller }, { workspace_id: workspace, write_token: writeToken, ...note }) {
    const { redacted, ...uploaded } = await engine.uploadNote(caller, { workspace, writeToken, ...note });
    return jsonAnswer({ ...uploaded, ...(redacted > 0 && { redacted }) });
  },
});
