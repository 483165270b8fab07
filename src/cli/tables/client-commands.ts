import type { Command } from '../command.ts';

/** Signing in to a server and reaching it. */
export const CLIENT_COMMANDS: readonly Command[] = [
  {
    name: 'auth',
    summary: 'Sign in to a server',
    usage: '[HOST [TOKEN] | whoami | ls | logout [HOST]]',
    about:
      'With a host: shows a code to confirm in a browser. With a host and a token: keeps the token. Every command, `ltm mcp` and `ltm bridge` then use that server, with the same memory that agents see there; sign-ins are kept per server, in a file that only you can read. `ltm auth logout` returns to the database of this machine; --local asks it for one command.',
    flags: [{ name: 'no-browser', description: 'Do not open a browser.' }],
    words: ['whoami', 'ls', 'logout'],
    maxWords: 2,
    examples: [
      'ltm auth https://memory.example.com',
      'ltm auth http://localhost:8000 "$(ltm token --show)"',
      'ltm auth whoami',
      'ltm auth logout',
    ],
    load: () => import('../commands/auth.ts'),
  },
  {
    name: 'bridge',
    summary: 'Let an agent that only speaks stdio use a server (MCP)',
    usage: '[URL]',
    about:
      'Carries MCP between stdin and stdout and the server, with the token of `ltm auth` or of LTM_TOKEN. Without a URL: the server signed in to. An address that ends in /sse is one of the older HTTP+SSE transport.',
    flags: [],
    maxWords: 1,
    examples: [
      'claude mcp add -s user ltm -- ltm bridge https://memory.example.com/mcp',
      'LTM_TOKEN=… ltm bridge http://localhost:8000/mcp?tools=networked',
    ],
    load: () => import('../commands/bridge.ts'),
  },
];
