import { describeGraphNode, describeGraphRelation } from '../../../verbs/describe-graph.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust, sayOriginOnce } from '../../../verbs/describe-origin.ts';
import { choice, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import {
  type About,
  type AboutInput,
  ENTITY_KINDS,
  type ListEntitiesInput,
  type ListedEntities,
  type MergedEntity,
  type MergeEntitiesInput,
} from '../entity.ts';

export const tellAbout = defineVerb<AboutInput, About>({
  needs: 'read',
  input: {
    name: text(
      'A person, file, package, function, error, URL, ticket or decision, such as @ada or src/login.ts, or any topic.',
      {
        isRequired: true,
        isTrimmed: true,
        min: 1,
        max: 500,
      },
    ),
    limit: integer(1, 100, 'Maximum number of memories. Default: 20.'),
    project: label('Only this project.'),
  },
  run: ({ engine, caller }, input) => engine.tellAbout(caller, input),
  rest: {
    at: 'GET /about',
    summary: 'What is known about a person, a file, an error or any topic, with its sources',
    example: { path: '/about?name=%40ada' },
    answers: { 200: 'What mentions it, newest first, then what a search finds besides.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_about',
    title: 'What is known about X',
    text: 'Everything known about a person, file, package, function, error, URL, ticket, decision or topic, with sources, in one call.',
    shown: { name: 'e.g. @ada, src/login.ts, ECONNRESET', limit: '', project: '' },
    output: { entity: 'object', total: 'number', memories: ['object'], related: ['object'] },
    answer(out, { context }) {
      const memories = out.sources.map(({ says, by, ...node }) => {
        const { excerpt: _, whole: __, ...described } = describeGraphNode(node, context);
        return { ...described, by, says };
      });
      const { shared, items } = sayOriginOnce(memories);
      return {
        message: summariseAbout(out),
        entity: out.entity ?? undefined,
        total: out.total,
        ...shared,
        memories: items,
        related: unlessEmpty(out.related.map(({ key, together }) => ({ entity: key, together }))),
        relations: unlessEmpty(out.relations.map(describeGraphRelation)),
        notices: unlessEmpty(noticesOfTrust(out.sources)),
      };
    },
  },
  command: {
    name: 'about',
    summary: 'Show what is known about a person, a file, an error or any topic',
    usage: 'NAME',
    about:
      'Lists the memories that mention it, newest first, with the sentences that do, what is mentioned together with it, and the relations between them; then what a search finds besides. Prefix a kind to say what you mean, as in person:ada or file:src/login.ts.',
    words: 'name',
    flags: [
      ['limit', 'n'],
      ['project', 'p'],
    ],
    examples: ['ltm about @ada', 'ltm about src/login.ts', 'ltm about ECONNRESET'],
  },
});

export function summariseAbout({ entity, total, sources }: About): string {
  if (entity === null)
    return sources.length === 0 ? 'Nothing is known about it.' : 'Nothing names it; found by search.';
  return `${entity.name} (${entity.kind}): mentioned in ${total} ${total === 1 ? 'memory' : 'memories'}.`;
}

export const listEntities = defineVerb<ListEntitiesInput, ListedEntities>({
  needs: 'read',
  input: {
    kind: choice(ENTITY_KINDS, 'Only of this kind.'),
    contains: text('Only names that contain this text.', { min: 1, max: 200 }),
    ref: label('Only what this memory mentions: an id, a content hash or a key.'),
    limit: integer(1, 1000, 'Maximum number of entities. Default: 50.'),
  },
  run: ({ engine, caller }, input) => engine.listEntities(caller, input),
  rest: {
    at: 'GET /entities',
    summary: 'People, files, packages, functions, errors, URLs, tickets and decisions that memories mention',
    example: { path: '/entities?kind=person' },
    answers: { 200: 'The most often mentioned first.' },
  },
  command: {
    name: 'entities',
    summary: 'List what memories mention: people, files, errors, tickets …',
    usage: '[merge NAME NAME…]',
    about:
      'Lists entities, the most often mentioned first. `ltm entities merge NAME NAME…` says that several names mean the first one.',
    flags: ['kind', 'contains', 'ref', ['limit', 'n']],
    examples: [
      'ltm entities --kind person',
      'ltm entities --ref release-day',
      'ltm entities merge "person:Ada Lovelace" @ada',
    ],
  },
});

export const mergeEntities = defineVerb<MergeEntitiesInput, MergedEntity>({
  needs: 'write',
  input: {
    into: text('The name that stays.', { isRequired: true, isTrimmed: true, min: 1, max: 200 }),
    aliases: { type: 'names', isRequired: true, min: 1, max: 100, about: 'Names that mean the same.' },
  },
  run: ({ engine, caller }, input) => engine.mergeEntities(caller, input),
  rest: {
    at: 'POST /entities/merge',
    summary: 'Say that several names mean the same entity',
    example: { body: { into: 'person:Ada Lovelace', aliases: ['@ada'] } },
    answers: { 200: 'The entity and its aliases.' },
  },
});
