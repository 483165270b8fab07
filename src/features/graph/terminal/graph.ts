import type { CommandContext } from '../../../cli/command.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { cutText } from '../../../cli/text-width.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import {
  type Explored,
  GRAPH_ACTIONS,
  type GraphNode,
  type GraphRelation,
  type InferInput,
} from '../../../model/graph.ts';
import { showLabels } from '../../memories/terminal/show-memory.ts';
import { type ExploreGraphInput, exploreGraph, listRelations } from '../verbs/explore-graph.ts';
import { inferRelations } from '../verbs/infer-relations.ts';
import { relateMemories, unrelateMemories } from '../verbs/relate-memories.ts';

export async function relate({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const ends = needEnds(args, 'relate');
  const out = await (await client()).relateMemories({ ...readFlags<object>(relateMemories, args), ...ends });
  answer(out, () => {
    showEdge(out.relation, [out.from, out.to], terminal);
    terminal.note(OUTCOMES[out.outcome]);
  });
}

const OUTCOMES = {
  related: 'Related.',
  updated: 'Said anew.',
  confirmed: 'Confirmed.',
  unchanged: 'Known already; nothing was changed.',
};

export async function unrelate({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const ends = needEnds(args, 'unrelate');
  const out = await (await client()).unrelateMemories({ ...readFlags<object>(unrelateMemories, args), ...ends });
  const count = out.ended.length;
  answer(out, () =>
    terminal.note(count === 0 ? 'There was no such relation.' : `Ended ${showCount(count, 'relation')}.`),
  );
}

export async function infer({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const input = { ...readFlags<InferInput>(inferRelations, args), ref: args.words[0] };
  const out = await (await client()).inferRelations(input);
  answer(out, () => {
    showPairs(out, terminal);
    const count = showCount(out.pairs.length, 'relation');
    terminal.note(out.outcome === 'inferred' ? `Inferred ${count}.` : `Would infer ${count}; nothing was changed.`);
  });
}

function showPairs({ pairs, nodes }: Pick<Explored, 'pairs' | 'nodes'>, { print, paint }: Terminal): void {
  const titles = new Map(nodes.map((node) => [node.id, safeLine(node.title)]));
  for (const { from, to, type, reason, confidence } of pairs) {
    print(`${titles.get(from) ?? from} — ${safeLine(type)}? → ${titles.get(to) ?? to}`);
    const sure = confidence === null ? '' : `${Math.round(confidence * 100)} % · `;
    print(paint('dim', `  ${sure}${safeLine(reason)} · ${from} ${to}`));
  }
}

function needEnds({ words }: Arguments, command: string): { from: string; to: string } {
  const [from, to] = words;
  if (from !== undefined && to !== undefined) return { from, to };
  throw new UsageError(
    `\`ltm ${command}\` needs two memories.`,
    `Give the id, hash or key of each; \`ltm help ${command}\` shows examples.`,
  );
}

export async function relations({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const page = await (await client()).listRelations({ ...readFlags<object>(listRelations, args), ref: args.words[0] });
  answer(page, () => {
    for (const relation of page.relations) showEdge(relation, page.nodes, terminal);
    const more = page.cursor === null ? '' : ` · more with --cursor ${page.cursor}`;
    terminal.note(
      page.relations.length === 0 ? 'No relations.' : `${showCount(page.relations.length, 'relation')}${more}`,
    );
  });
}

export async function graph({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const input = { ...readFlags<ExploreGraphInput>(exploreGraph, args), ...readWalk(args.words) };
  const out = await (await client()).exploreGraph(input);
  answer(out, () => showExplored(out, terminal));
}

/** What is named alone is a memory, even one whose key is the name of an action: `ltm graph connected path`. */
function readWalk(words: readonly string[]): Pick<ExploreGraphInput, 'action' | 'ref' | 'to'> {
  const [first, ref, to] = words;
  if (first === undefined) throw new UsageError('Say where in the graph to begin.', '`ltm help graph` shows examples.');
  const action = GRAPH_ACTIONS.find((name) => name === first);
  if (action !== undefined) return { action, ref, to };
  if (ref === undefined) return { action: 'connected', ref: first };
  throw new UsageError(
    `“${first}” is not one of ${GRAPH_ACTIONS.join(', ')}.`,
    'Name one memory to see what is around it, or say `path` before two; `ltm help graph` shows examples.',
  );
}

function showExplored(out: Explored, terminal: Terminal): void {
  const { action, nodes, path, pairs, more } = out;
  showPairs(out, terminal);
  if (pairs.length === 0) for (const node of nodes) showNode(node, terminal);
  if (action !== 'infer' && action !== 'suggest')
    for (const relation of out.relations) showEdge(relation, nodes, terminal);
  const rest = more ? ' · more with --limit' : '';
  if (action === 'path')
    terminal.note(path === null ? 'Nothing joins the two.' : `${showCount(path.length - 1, 'relation')} lead there.`);
  else if (action === 'infer' || action === 'suggest') terminal.note(`${showCount(pairs.length, 'pair')}${rest}`);
  else terminal.note(`${showCount(nodes.length, 'record')}, ${showCount(out.relations.length, 'relation')}${rest}`);
}

function showNode(node: GraphNode, terminal: Terminal): void {
  const far = node.distance === null ? '' : `${node.distance} `;
  terminal.print(terminal.paint('bold', cutText(`${far}${safeLine(node.excerpt)}`, terminal.width)));
  terminal.print(`  ${showLabels(node, terminal, Date.now())}`);
}

function showEdge(relation: GraphRelation, nodes: readonly GraphNode[], { print, paint }: Terminal): void {
  const nameOf = (id: string): string => {
    const title = nodes.find((node) => node.id === id)?.title;
    return title === undefined ? id : `${paint('cyan', id)} ${cutText(safeLine(title), 40)}`;
  };
  const { from, to, type, isSymmetric, confidence, status, note, reason } = relation;
  const facts = [
    confidence === 1 ? null : `confidence ${confidence.toFixed(2)}`,
    status === 'stated' ? null : status,
    note ?? reason,
  ].filter((fact) => fact !== null);
  const arrow = isSymmetric ? '—' : '→';
  print(`${nameOf(from)} ${paint('bold', `— ${safeLine(type)} ${arrow}`)} ${nameOf(to)}`);
  if (facts.length > 0) print(`  ${paint('dim', facts.map(safeLine).join(' · '))}`);
}
