import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { hookEdits, hookWords, mcpWords, stdio, tomlStdio } from './agent-entries.ts';
import {
  claudeFolder,
  claudeState,
  codexFolder,
  copilotFolder,
  gooseFile,
  openCodeFile,
  openCodeFolder,
} from './agent-folders.ts';
import {
  dropEarlierItems,
  editJsonHooks,
  editJsonServer,
  editTomlServer,
  editYamlServer,
  ownFile,
} from './edits/file-edit.ts';
import { flatHooks, HOOK_SECONDS, matchedHooks } from './hook-entries.ts';
import { renderOpenCodePlugin } from './opencode/plugin.ts';

/** Agents that are started from a shell. */
export const TERMINAL_AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    program: 'claude',
    signs: (place) => [claudeFolder(place), claudeState(place)],
    hasHooks: true,
    edits: (place, wiring) => [
      editJsonServer(claudeState(place), ['mcpServers'], { type: 'stdio', ...stdio(wiring) }),
      ...hookEdits(wiring, 'claude-code', (line) =>
        editJsonHooks(
          join(claudeFolder(place), 'settings.json'),
          matchedHooks(
            [
              'SessionStart',
              'UserPromptSubmit',
              'PostToolUse',
              'PostToolUseFailure',
              'Stop',
              'PreCompact',
              'PostCompact',
              'SessionEnd',
            ],
            { type: 'command', command: line, timeout: HOOK_SECONDS },
            { matcher: '*', matches: /ToolUse/ },
          ),
        ),
      ),
    ],
    wants: ['Restart Claude Code, or open a new session.'],
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    program: 'codex',
    signs: (place) => [codexFolder(place)],
    hasHooks: true,
    edits: (place, wiring) => [
      editTomlServer(join(codexFolder(place), 'config.toml'), tomlStdio(wiring)),
      ...hookEdits(wiring, 'codex', (line) =>
        editJsonHooks(
          join(codexFolder(place), 'hooks.json'),
          matchedHooks(
            ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'PreCompact', 'PostCompact', 'SessionEnd'],
            { type: 'command', command: line, timeout: HOOK_SECONDS },
            { matcher: '.*', matches: /ToolUse/ },
          ),
        ),
      ),
    ],
    wants: [
      'Codex skips new hooks without a word until you trust them: run `codex`, enter /hooks and trust those of ltm.',
      'Codex asks before every tool that writes. To allow them all, add default_tools_approval_mode = "approve" below [mcp_servers.ltm] in config.toml.',
    ],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    program: 'gemini',
    signs: (place) => [join(place.home, '.gemini', 'settings.json'), join(place.home, '.gemini', 'projects.json')],
    hasHooks: true,
    edits: (place, wiring) => {
      const path = join(place.home, '.gemini', 'settings.json');
      return [
        editJsonServer(path, ['mcpServers'], stdio(wiring)),
        ...hookEdits(wiring, 'gemini', (line) =>
          editJsonHooks(
            path,
            matchedHooks(
              ['SessionStart', 'BeforeAgent', 'AfterTool', 'AfterAgent', 'PreCompress', 'SessionEnd'],
              // In milliseconds here.
              { name: 'ltm', type: 'command', command: line, timeout: HOOK_SECONDS * 1000 },
              { matcher: '.*', matches: /Tool/ },
            ),
          ),
        ),
      ];
    },
    wants: ['Gemini CLI uses servers only in folders you trust: enter /permissions in a folder to trust it.'],
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    program: 'opencode',
    signs: (place) => [openCodeFolder(place)],
    hasHooks: true,
    edits: (place, wiring) => {
      const path = openCodeFile(place);
      const environment = Object.keys(wiring.env).length === 0 ? {} : { environment: wiring.env };
      return [
        dropEarlierItems(path, ['plugin', 'instructions']),
        editJsonServer(path, ['mcp'], {
          type: 'local',
          command: [wiring.program.command, ...mcpWords(wiring)],
          enabled: true,
          ...environment,
        }),
        ...(wiring.hook === null
          ? []
          : [
              ownFile(
                join(openCodeFolder(place), 'plugin', 'ltm.js'),
                renderOpenCodePlugin({ ...wiring.hook, args: hookWords(wiring.hook, wiring, 'opencode') }),
              ),
            ]),
      ];
    },
    wants: [],
  },
  {
    name: 'copilot-cli',
    title: 'Copilot CLI',
    program: 'copilot',
    signs: (place) => [join(copilotFolder(place), 'config.json'), join(copilotFolder(place), 'mcp-config.json')],
    hasHooks: true,
    edits: (place, wiring) => [
      editJsonServer(join(copilotFolder(place), 'mcp-config.json'), ['mcpServers'], {
        type: 'local',
        ...stdio(wiring),
        tools: ['*'],
      }),
      ...hookEdits(wiring, 'copilot', (line) =>
        editJsonHooks(
          join(copilotFolder(place), 'hooks', 'ltm.json'),
          flatHooks(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'], {
            type: 'command',
            command: line,
            timeoutSec: HOOK_SECONDS,
          }),
          { version: 1 },
        ),
      ),
    ],
    wants: [],
  },
  {
    name: 'goose',
    title: 'Goose',
    program: 'goose',
    signs: (place) => [gooseFile(place)],
    hasHooks: false,
    edits: (place, wiring) => [
      editYamlServer(gooseFile(place), 'extensions', {
        enabled: true,
        type: 'stdio',
        name: 'ltm',
        description: 'Long-term memory',
        cmd: wiring.program.command,
        args: mcpWords(wiring),
        envs: wiring.env,
        timeout: 300,
      }),
    ],
    wants: [],
  },
];
