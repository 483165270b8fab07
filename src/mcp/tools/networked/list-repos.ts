import * as z from 'zod';
import { defineTool } from '../../tool.ts';
import { jsonAnswer } from './repo-memory.ts';

export const listRepos = defineTool({
  name: 'list_repos',
  title: 'List repositories',
  description: 'Which repositories have memories, and how many.',
  action: 'read',
  listed: {},
  unlisted: {},
  output: { repos: z.array(z.looseObject({ repo_id: z.string(), count: z.number() })) },
  run: async ({ engine, caller }) => {
    const projects = await engine.countLabels(caller, 'project');
    return jsonAnswer({ repos: projects.map(({ value, count }) => ({ repo_id: value, count })) });
  },
});
