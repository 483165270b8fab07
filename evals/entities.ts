// node evals/entities.ts: how often what the rules take for an entity is one, on commits of others that were labelled by reading. Writes evals/results/entities.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractEntities } from '../src/features/graph/extract-entities.ts';

type Labelled = readonly (readonly [text: number, key: string])[];

const read = (path: string): Buffer => readFileSync(join(import.meta.dirname, path));
const { texts } = JSON.parse(gunzipSync(read('graph/commits.json.gz')).toString()) as { texts: { text: string }[] };
const labels = JSON.parse(read('graph/entity-labels.json').toString()) as { right: Labelled; wrong: Labelled };

/** Of these mentions, by their kind: how many there were when they were labelled, and how many the rules still find. */
function count(mentions: Labelled): Map<string, { labelled: number; found: number }> {
  const counts = new Map<string, { labelled: number; found: number }>();
  for (const [number, key] of mentions) {
    const kind = key.slice(0, key.indexOf(':'));
    const known = counts.get(kind) ?? { labelled: 0, found: 0 };
    known.labelled++;
    if (extractEntities(texts[number]!.text).some((entity) => entity.key === key)) known.found++;
    counts.set(kind, known);
  }
  return counts;
}

const [right, wrong] = [count(labels.right), count(labels.wrong)];
const share = (part: number, rest: number): string => (part + rest === 0 ? '–' : (part / (part + rest)).toFixed(2));
const none = { labelled: 0, found: 0 };
const rows = [...right].map(([kind, good]) => {
  const bad = wrong.get(kind) ?? none;
  const then = share(good.labelled, bad.labelled);
  return `| ${kind} | ${good.labelled + bad.labelled} | ${then} | ${good.found} of ${good.labelled} | ${bad.found} of ${bad.labelled} |`;
});
const all = share(labels.right.length, labels.wrong.length);
const report = `# Entities

How often what the rules take for a person, a file, a package and so on is one. Written by \`node evals/entities.ts\`: up to twenty mentions of each kind, drawn at random from ${texts.length.toLocaleString('en')} commits of Go, Node.js and Rails and read one by one. Of all of them ${all} were right when they were labelled. What was wrong then has been looked at since, so that only that figure is one for texts that nobody had in mind; the last two columns guard against going back.

| kind | mentions | right when labelled | right ones still found | wrong ones still found |
|---|---:|---:|---:|---:|
${rows.join('\n')}

How many entities are missed was not measured.
`;
writeFileSync(join(import.meta.dirname, 'results', 'entities.md'), report);
console.log(report);
