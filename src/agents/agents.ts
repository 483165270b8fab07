import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code/agent.ts';
import { claudeDesktop } from './claude-desktop/agent.ts';
import { cline } from './cline/agent.ts';
import { codex } from './codex/agent.ts';
import { continueDev } from './continue/agent.ts';
import { copilot } from './copilot/agent.ts';
import { cursor } from './cursor/agent.ts';
import { gemini } from './gemini/agent.ts';
import { goose } from './goose/agent.ts';
import { junie } from './junie/agent.ts';
import { opencode } from './opencode/agent.ts';
import { vscode } from './vscode/agent.ts';
import { windsurf } from './windsurf/agent.ts';
import { zed } from './zed/agent.ts';

/** Every coding agent that this program knows: how it is wired, what its hooks send, where its transcripts lie. What each of its files looks like: docs/connect.md. */
export const AGENTS: readonly Agent[] = [
  claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
  goose,
  cursor,
  vscode,
  windsurf,
  zed,
  claudeDesktop,
  cline,
  continueDev,
  junie,
];
