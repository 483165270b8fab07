import { z } from 'zod';
import { defineRoute, type Route } from '../route.ts';

const countsSchema = z.array(z.strictObject({ name: z.string(), count: z.number().int() }));

export const listTags = labelRoute('tag', 'tags', 'All tags, with how many memories have them');
export const listProjects = labelRoute('project', 'projects', 'All projects, with how many memories they have');
export const listAgents = labelRoute('agent', 'agents', 'All agents, with how many memories they wrote');

export const listTypes = defineRoute({
  method: 'GET',
  path: '/types',
  name: 'listTypes',
  action: 'read',
  group: 'Labels',
  summary: 'The types in use, and all types that are known',
  answers: {
    200: {
      description: 'A type that is not known is stored all the same, with a warning.',
      schema: z.strictObject({
        types: countsSchema,
        known: z.record(z.string(), z.array(z.string())).describe('Bases and their subtypes.'),
      }),
    },
  },
  async handle({ engine, caller, memoryTypes }) {
    return { status: 200, body: { types: toCounts(await engine.countLabels(caller, 'type')), known: memoryTypes } };
  },
});

function labelRoute(
  label: 'tag' | 'project' | 'agent',
  plural: 'tags' | 'projects' | 'agents',
  summary: string,
): Route {
  return defineRoute({
    method: 'GET',
    path: `/${plural}`,
    name: `list${plural[0]!.toUpperCase()}${plural.slice(1)}`,
    action: 'read',
    group: 'Labels',
    summary,
    answers: { 200: { description: 'Most frequent first.', schema: z.strictObject({ [plural]: countsSchema }) } },
    async handle({ engine, caller }) {
      return { status: 200, body: { [plural]: toCounts(await engine.countLabels(caller, label)) } };
    },
  });
}

function toCounts(counts: readonly { value: string; count: number }[]): z.infer<typeof countsSchema> {
  return counts
    .map(({ value, count }) => ({ name: value, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
