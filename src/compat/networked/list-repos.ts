import { defineTool } from '../../mcp/tool.ts';
import { jsonAnswer } from './repo-memory.ts';

export const listRepos = defineTool({
  name: 'list_repos',
  title: 'List repositories',
  text: 'Which repositories have memories, and how many.',
  action: 'read',
  listed: {},
  output: {
    repos: {
      type: 'array',
      items: { type: 'object', properties: { repo_id: { type: 'string' }, count: { type: 'number' } } },
    },
  },
  async run({ engine, caller }) {
    const projects = await engine.countLabels(caller, 'project');
    return jsonAnswer({ repos: projects.map(({ value, count }) => ({ repo_id: value, count })) });
  },
});
