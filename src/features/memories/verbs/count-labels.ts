import type { MemoryTypes } from '../../../model/memory-types.ts';
import { defineVerb, type HostContext, type Verb, type VerbContext } from '../../../verbs/verb.ts';

export interface Count {
  name: string;
  count: number;
}

export const listTags = labelVerb('tag', 'tags', 'List all tags with the number of memories');
export const listProjects = labelVerb('project', 'projects', 'List all projects with the number of memories');
export const listAgents = labelVerb('agent', 'agents', 'List all agents with the number of memories');

export const listTypes = defineVerb<object, { types: Count[]; known: MemoryTypes }, HostContext>({
  needs: 'read',
  input: {},
  run: async (context) => ({ types: await count(context, 'type'), known: context.memoryTypes }),
  rest: {
    at: 'GET /types',
    summary: 'List the types in use and all known types',
    answers: { 200: 'Unknown types are stored too, with a warning.' },
  },
});

function labelVerb<Plural extends 'tags' | 'projects' | 'agents'>(
  label: 'tag' | 'project' | 'agent',
  plural: Plural,
  summary: string,
): Verb<object, Record<Plural, Count[]>> {
  return defineVerb<object, Record<Plural, Count[]>>({
    needs: 'read',
    input: {},
    run: async (context) => ({ [plural]: await count(context, label) }) as Record<Plural, Count[]>,
    rest: { at: `GET /${plural}`, summary, answers: { 200: 'Most frequent first.' } },
  });
}

async function count({ engine, caller }: VerbContext, label: 'tag' | 'type' | 'project' | 'agent'): Promise<Count[]> {
  const counts = await engine.countLabels(caller, label);
  return counts
    .map(({ value, count: times }) => ({ name: value, count: times }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
