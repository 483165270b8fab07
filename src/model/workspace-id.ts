import { EngineError } from './errors.ts';

/** What a workspace is: one project, as one tool works on it on one machine. */
export interface WorkspaceTriple {
  machine: string;
  tool: string;
  project: string;
}

const MAX_SLUG_CHARS = 64;

/** The one form in which names of people become names of files: nothing but a–z, 0–9 and single dashes. */
export function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARS + 1)
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/-$/, '');
  return slug === '' ? 'default' : slug;
}

/** `mymachine-claude-code-myproject`. */
export function workspaceIdOf({ machine, tool, project }: WorkspaceTriple): string {
  return [machine, tool, project].map(slugOf).join('-');
}

const WORKSPACE_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_ID_CHARS = 3 * MAX_SLUG_CHARS + 9;

export function checkWorkspaceId(id: string): string {
  if (WORKSPACE_ID.test(id) && id.length <= MAX_ID_CHARS) return id;
  throw new EngineError('invalid_input', 'This is not the id of a workspace.', {
    hint: 'An id has lower-case letters, digits and dashes, such as laptop-claude-code-shop.',
    details: { field: 'workspace_id' },
  });
}
