import { deleteMemories } from '../../verbs/memories/delete-memories.ts';
import { getMemories } from '../../verbs/memories/get-memories.ts';
import { listMemories } from '../../verbs/memories/list-memories.ts';
import { purgeMemories } from '../../verbs/memories/purge-memories.ts';
import { listRejections, rejectMemories } from '../../verbs/memories/reject-memories.ts';
import { listVersions, restoreMemories } from '../../verbs/memories/restore-memories.ts';
import { searchMemories } from '../../verbs/memories/search-memories.ts';
import { storeMemory } from '../../verbs/memories/store-memory.ts';
import { updateMemory } from '../../verbs/memories/update-memory.ts';
import { showStats } from '../../verbs/state/check-health.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** Ways to be reached, and what people do with memories. */
export const MEMORY_COMMANDS: readonly CommandLine[] = [
  {
    name: 'serve',
    isLocal: true,
    summary: 'Serve agents, scripts and browsers over HTTP (MCP and REST)',
    usage: '[--host ADDRESS] [--port N]',
    about: 'Listens on 127.0.0.1:8000. Clients need a token; the first start creates and prints it.',
    flags: [
      { name: 'create-token', description: 'Create the first token even if other machines can reach the server.' },
    ],
    takesSettings: true,
    readsDotEnv: true,
    examples: [
      'ltm serve',
      'ltm serve --port 9000',
      'ltm serve --db ./team.db --log-level warn',
      'ltm serve --host 0.0.0.0 --tokens-file ./user_tokens.json --tools core,networked',
    ],
    load: async () => (await import('../commands/server.ts')).serve,
  },
  {
    name: 'mcp',
    summary: 'Serve one agent over stdin and stdout (MCP)',
    about:
      'Put this command into an agent’s configuration; the agent starts it. Many can run at once on one database. Uses the server you signed in to with `ltm auth`, or else the local database. --db and --local always use the local database.',
    flags: [{ name: 'local', description: 'Use the local database even if you are signed in to a server.' }],
    takesSettings: true,
    examples: ['claude mcp add -s user ltm -- ltm mcp', 'ltm mcp --db ./project.db', 'ltm mcp --tools core,packets'],
    load: async () => (await import('../commands/server.ts')).mcp,
  },
  commandOf(storeMemory, async () => (await import('../commands/change-memories.ts')).store),
  commandOf(searchMemories, async () => (await import('../commands/read-memories.ts')).search),
  commandOf(getMemories, async () => (await import('../commands/read-memories.ts')).get),
  commandOf(listMemories, async () => (await import('../commands/read-memories.ts')).list),
  commandOf(updateMemory, async () => (await import('../commands/change-memories.ts')).edit),
  commandOf(deleteMemories, async () => (await import('../commands/change-memories.ts')).remove),
  commandOf(restoreMemories, async () => (await import('../commands/change-memories.ts')).restore),
  commandOf(purgeMemories, async () => (await import('../commands/purge-memories.ts')).purge),
  commandOf(rejectMemories, async () => (await import('../commands/reject-memories.ts')).reject),
  commandOf(listRejections, async () => (await import('../commands/reject-memories.ts')).rejected),
  commandOf(listVersions, async () => (await import('../commands/read-memories.ts')).history),
  commandOf(showStats, async () => (await import('../commands/stats.ts')).stats),
];
