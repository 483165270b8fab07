import { readFileSync } from 'node:fs';
import { asRow, type Imported, type Importer, parseJson, textOr } from './imported.ts';

/** The memory server of the MCP project: a graph of entities in JSON lines. */
export const knowledgeGraph: Importer = {
  name: 'knowledge-graph',
  about: 'the reference MCP memory server: memory.jsonl (or memory.json)',
  recognise: ({ head }) => /^\s*\{[^\n]*"type"\s*:\s*"(?:entity|relation)"/.test(head),
  *read({ path }) {
    for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries())
      if (line.trim() !== '') yield* readLine(line, i + 1);
  },
};

function* readLine(line: string, number: number): Generator<Imported> {
  const item = asRow(line.trimStart().startsWith('{') ? parseJson(line) : null);
  const name = textOr(item.name, null);
  if (item.type === 'relation') {
    const [from, to] = [textOr(item.from, null), textOr(item.to, null)];
    if (from !== null && to !== null)
      yield { relation: { from, to, type: textOr(item.relationType, 'related'), createdAt: null } };
    else yield { leftOut: `line ${number}`, why: 'it names no two entities' };
  } else if (item.type === 'entity' && name !== null) {
    const observations = Array.isArray(item.observations) ? item.observations.map(String) : [];
    const kind = textOr(item.entityType, 'entity');
    const content = [`${name} (${kind})`, ...observations.map((one) => `- ${one}`)].join('\n');
    yield { memory: { id: name, content, title: name, type: 'fact', tags: [kind], createdAt: null } };
  } else yield { leftOut: `line ${number}`, why: 'it is neither an entity nor a relation' };
}
