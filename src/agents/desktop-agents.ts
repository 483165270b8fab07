import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { continueBlock, hookEdits, stdio } from './agent-entries.ts';
import { clineFolder, codeFolder, configIn, zedFolder } from './agent-folders.ts';
import { editJsonHooks, editJsonServer, ownFile } from './edits/file-edit.ts';
import { flatHooks, HOOK_SECONDS } from './hook-entries.ts';

/** Agents in an editor or a window, which do not have the PATH of a shell. */
export const DESKTOP_AGENTS: readonly Agent[] = [
  {
    name: 'cursor',
    title: 'Cursor',
    program: 'cursor',
    isDesktop: true,
    signs: (place) => [join(place.home, '.cursor')],
    hasHooks: true,
    edits: (place, wiring) => [
      editJsonServer(join(place.home, '.cursor', 'mcp.json'), ['mcpServers'], stdio(wiring)),
      ...hookEdits(wiring, 'cursor', (line) =>
        editJsonHooks(
          join(place.home, '.cursor', 'hooks.json'),
          flatHooks(
            [
              'sessionStart',
              'beforeSubmitPrompt',
              'postToolUse',
              'postToolUseFailure',
              'afterAgentResponse',
              'preCompact',
              'stop',
              'sessionEnd',
            ],
            { command: line, timeout: HOOK_SECONDS },
          ),
          { version: 1 },
        ),
      ),
    ],
    wants: ['Switch ltm on in Cursor: Settings → Tools & MCP.'],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    program: 'code',
    isDesktop: true,
    signs: (place) => [codeFolder(place)],
    hasHooks: false,
    edits: (place, wiring) => [
      editJsonServer(join(codeFolder(place), 'mcp.json'), ['servers'], { type: 'stdio', ...stdio(wiring) }),
    ],
    wants: [
      'Start ltm once in VS Code: command "MCP: List Servers".',
      'VS Code runs the hooks of ~/.claude/settings.json and ~/.copilot/hooks, so its sessions are captured where Claude Code or Copilot CLI is set up.',
    ],
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    program: 'windsurf',
    isDesktop: true,
    signs: (place) => [join(place.home, '.codeium', 'windsurf')],
    hasHooks: true,
    edits: (place, wiring) => [
      editJsonServer(join(place.home, '.codeium', 'windsurf', 'mcp_config.json'), ['mcpServers'], stdio(wiring)),
      ...hookEdits(wiring, 'windsurf', (line) =>
        editJsonHooks(
          join(place.home, '.codeium', 'windsurf', 'hooks.json'),
          flatHooks(
            ['pre_user_prompt', 'post_write_code', 'post_run_command', 'post_mcp_tool_use', 'post_cascade_response'],
            { command: line, show_output: false },
          ),
        ),
      ),
    ],
    wants: ['Press the refresh button in Windsurf: Settings → Cascade → MCP servers.'],
  },
  {
    name: 'zed',
    title: 'Zed',
    program: 'zed',
    isDesktop: true,
    signs: (place) => [zedFolder(place)],
    hasHooks: false,
    edits: (place, wiring) => [
      editJsonServer(join(zedFolder(place), 'settings.json'), ['context_servers'], { ...stdio(wiring) }),
    ],
    wants: [],
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    isDesktop: true,
    signs: (place) => [configIn(place, 'Claude')],
    hasHooks: false,
    edits: (place, wiring) => [
      editJsonServer(join(configIn(place, 'Claude'), 'claude_desktop_config.json'), ['mcpServers'], stdio(wiring)),
    ],
    wants: ['Quit Claude Desktop and start it again.'],
  },
  {
    name: 'cline',
    title: 'Cline',
    isDesktop: true,
    signs: (place) => [clineFolder(place)],
    hasHooks: false,
    edits: (place, wiring) => [
      editJsonServer(join(clineFolder(place), 'settings', 'cline_mcp_settings.json'), ['mcpServers'], stdio(wiring)),
    ],
    wants: [],
  },
  {
    name: 'continue',
    title: 'Continue',
    isDesktop: true,
    signs: (place) => [join(place.home, '.continue')],
    hasHooks: false,
    edits: (place, wiring) => [ownFile(join(place.home, '.continue', 'mcpServers', 'ltm.yaml'), continueBlock(wiring))],
    wants: ['Continue uses servers in agent mode only.'],
  },
  {
    name: 'junie',
    title: 'JetBrains Junie',
    isDesktop: true,
    signs: (place) => [join(place.home, '.junie')],
    hasHooks: false,
    edits: (place, wiring) => [
      editJsonServer(join(place.home, '.junie', 'mcp', 'mcp.json'), ['mcpServers'], stdio(wiring)),
    ],
    wants: [
      'JetBrains AI Assistant has no such file: Settings → Tools → AI Assistant → MCP → Add, and paste the entry of docs/connect.md.',
    ],
  },
];
