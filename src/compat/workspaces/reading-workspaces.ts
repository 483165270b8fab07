import type { Workspace } from '../../features/workspaces/workspace.ts';
import { defineTool, jsonAnswer } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { toIso } from '../../model/instant.ts';
import { flag, integer, label, text } from '../../verbs/field.ts';
import {
  AS_DATA,
  anyWorkspaceId,
  describeWorkspace,
  firstLines,
  path,
  verbatimAnswer,
  workspaceId,
} from './describe-workspace.ts';

const earlier = label('Earlier text, by name or number');

export const getOverview = defineTool<{ workspace_id?: string; version?: string }>({
  name: 'get_overview',
  title: 'Overview of all workspaces',
  text: 'Read this first: what each machine, tool and project is about, and what its workspace holds. With workspace_id the whole overview of one.',
  action: 'read',
  listed: { workspace_id: anyWorkspaceId },
  unlisted: { version: earlier },
  output: { welcome: 'string', workspaces: [{ workspace_id: 'string' }] },
  async run({ engine, caller }, { workspace_id: one, version }) {
    if (one === undefined && version !== undefined)
      throw new EngineError('invalid_input', 'A version is one of a workspace: say workspace_id too.', {
        details: { field: 'workspace_id' },
      });
    const welcome = await engine.readWelcome(caller);
    if (one === undefined) {
      const workspaces = await engine.listWorkspaces(caller);
      return verbatimAnswer({ welcome, workspaces: workspaces.map((each) => tell(each, firstLines(each.overview))) });
    }
    const text = await engine.readOverview(caller, { workspace: one, version });
    const versions = text.versions.map(({ version: called, sha256 }) => ({ version: called, sha256 }));
    const told = tell(await engine.getWorkspace(caller, one), text.content);
    return verbatimAnswer({ welcome, workspaces: [{ ...told, version: text.version, versions }] });
  },
});

function tell(workspace: Workspace, overview: string) {
  return { ...describeWorkspace(workspace), overview, last_activity: toIso(workspace.updatedAt) };
}

export const listWorkspaces = defineTool({
  name: 'list_workspaces',
  title: 'List workspaces',
  text: 'Which workspaces there are, and how much each holds.',
  action: 'read',
  output: { workspaces: [{ workspace_id: 'string' }] },
  run: async ({ engine, caller }) =>
    jsonAnswer({ workspaces: (await engine.listWorkspaces(caller)).map(describeWorkspace) }),
});

export const listKnowledge = defineTool<{ workspace_id: string; prefix?: string }>({
  name: 'list_knowledge',
  title: 'List notes of a workspace',
  text: 'The notes of a workspace, by path.',
  action: 'read',
  listed: { workspace_id: workspaceId, prefix: text('Only paths that begin so', { max: 1024 }) },
  output: { notes: [{ path: 'string' }] },
  async run({ engine, caller }, { workspace_id: workspace, prefix }) {
    const notes = await engine.listNotes(caller, { workspace, prefix });
    return jsonAnswer({
      notes: notes.map(({ path: name, bytes, sha256, updatedAt, versions }) => ({
        path: name,
        bytes,
        sha256,
        updated_at: toIso(updatedAt),
        versions,
      })),
    });
  },
});

export const readKnowledge = defineTool<{ workspace_id: string; path: string; version?: string }>({
  name: 'read_knowledge',
  title: 'Read a note',
  text: 'The whole text of a note of any workspace, or of an earlier version of it.',
  action: 'read',
  listed: { workspace_id: workspaceId, path, version: earlier },
  output: { content: 'string', sha256: 'string' },
  async run({ engine, caller }, { workspace_id: workspace, path: name, version }) {
    const note = await engine.getNote(caller, { workspace, path: name, version });
    const versions = await engine.listNoteVersions(caller, { workspace, path: name });
    return verbatimAnswer({
      path: note.path,
      version: note.version,
      sha256: note.sha256,
      content: note.content,
      versions: versions.map(({ version: called, sha256 }) => ({ version: called, sha256 })),
    });
  },
});

interface SearchArguments {
  query: string;
  workspace_id?: string;
  limit?: number;
  regex?: boolean;
  case_sensitive?: boolean;
  context?: number;
}

export const searchKnowledge = defineTool<SearchArguments>({
  name: 'search_knowledge',
  title: 'Search notes',
  text: 'Lines of notes that hold these characters or match a pattern, over all workspaces.',
  action: 'read',
  listed: {
    query: text('Characters, or a pattern with regex', { isRequired: true, min: 1, max: 1000 }),
    workspace_id: anyWorkspaceId,
    limit: integer(1, 100),
    regex: flag(),
    case_sensitive: flag(),
    context: integer(0, 10, 'Lines around each'),
  },
  output: { matches: [{ workspace_id: 'string', path: 'string', line: 'number', text: 'string' }] },
  async run({ engine, caller }, { workspace_id: workspace, case_sensitive: caseSensitive, ...query }) {
    const { matches, hasMore, timedOut } = await engine.searchNotes(caller, { workspace, caseSensitive, ...query });
    return jsonAnswer({
      matches: matches.map(({ workspaceId: id, ...match }) => ({ workspace_id: id, ...match })),
      has_more: hasMore,
      ...(timedOut && { timed_out: true }),
      notice: AS_DATA,
    });
  },
});
