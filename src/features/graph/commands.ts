import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { exploreGraph, listRelations } from './verbs/explore-graph.ts';
import { inferRelations } from './verbs/infer-relations.ts';
import { relateMemories, unrelateMemories } from './verbs/relate-memories.ts';
import { listEntities, tellAbout } from './verbs/tell-about.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(relateMemories, async () => (await import('./terminal/graph.ts')).relate),
  commandOf(unrelateMemories, async () => (await import('./terminal/graph.ts')).unrelate),
  commandOf(listRelations, async () => (await import('./terminal/graph.ts')).relations),
  commandOf(exploreGraph, async () => (await import('./terminal/graph.ts')).graph),
  commandOf(inferRelations, async () => (await import('./terminal/graph.ts')).infer),
  commandOf(tellAbout, async () => (await import('./terminal/about.ts')).about),
  commandOf(listEntities, async () => (await import('./terminal/about.ts')).entities),
];
