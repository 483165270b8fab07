import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { exploreGraph, listRelations } from '../../verbs/graph/explore-graph.ts';
import { inferRelations } from '../../verbs/graph/infer-relations.ts';
import { relateMemories, unrelateMemories } from '../../verbs/graph/relate-memories.ts';
import { listEntities, tellAbout } from '../../verbs/graph/tell-about.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(relateMemories, async () => (await import('../../cli/commands/graph.ts')).relate),
  commandOf(unrelateMemories, async () => (await import('../../cli/commands/graph.ts')).unrelate),
  commandOf(listRelations, async () => (await import('../../cli/commands/graph.ts')).relations),
  commandOf(exploreGraph, async () => (await import('../../cli/commands/graph.ts')).graph),
  commandOf(inferRelations, async () => (await import('../../cli/commands/graph.ts')).infer),
  commandOf(tellAbout, async () => (await import('../../cli/commands/about.ts')).about),
  commandOf(listEntities, async () => (await import('../../cli/commands/about.ts')).entities),
];
