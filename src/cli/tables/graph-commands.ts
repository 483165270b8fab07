import { exploreGraph, listRelations } from '../../verbs/graph/explore-graph.ts';
import { inferRelations } from '../../verbs/graph/infer-relations.ts';
import { relateMemories, unrelateMemories } from '../../verbs/graph/relate-memories.ts';
import { listEntities, tellAbout } from '../../verbs/graph/tell-about.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** How memories hang together. */
export const GRAPH_COMMANDS: readonly CommandLine[] = [
  commandOf(relateMemories, async () => (await import('../commands/graph.ts')).relate),
  commandOf(unrelateMemories, async () => (await import('../commands/graph.ts')).unrelate),
  commandOf(listRelations, async () => (await import('../commands/graph.ts')).relations),
  commandOf(exploreGraph, async () => (await import('../commands/graph.ts')).graph),
  commandOf(inferRelations, async () => (await import('../commands/graph.ts')).infer),
  commandOf(tellAbout, async () => (await import('../commands/about.ts')).about),
  commandOf(listEntities, async () => (await import('../commands/about.ts')).entities),
];
