import type { Program } from '../agent.ts';
import { OWN_MARK } from '../edits/file-edit.ts';

/**
 * The plugin that OpenCode loads: it has functions where other agents have commands, and hands each event to `ltm-hook`.
 * Nothing waits for a recording event; an answering one is waited for no longer than ANSWER_MS, and nothing ever throws into OpenCode.
 */
export function renderOpenCodePlugin({ command, args }: Program): string {
  return `// ${OWN_MARK}; \`ltm setup --undo\` removes it.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify(command)};
const ARGS = ${JSON.stringify(args)};
const ANSWER_MS = 1000;

function tell(event) {
  return new Promise((resolve) => {
    let answer = '';
    const timer = setTimeout(() => resolve(null), ANSWER_MS);
    const end = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(answer).hookSpecificOutput?.additionalContext ?? null);
      } catch {
        resolve(null);
      }
    };
    try {
      const child = spawn(COMMAND, ARGS, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
      child.on('error', end);
      child.stdout.on('data', (piece) => (answer += piece));
      child.on('close', end);
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(event));
    } catch {
      end();
    }
  });
}

export const Ltm = async ({ directory }) => {
  const contexts = new Map();
  const inputs = new Map();
  const words = new Map();
  const started = new Set();
  let latest = null;

  const event = (name, session, more = {}) => ({ hook_event_name: name, session_id: session, cwd: directory, ...more });
  const add = (session, context) => {
    if (context) contexts.set(session, [...(contexts.get(session) ?? []), context]);
  };
  const start = async (session) => {
    if (!session || started.has(session)) return;
    started.add(session);
    add(session, await tell(event('session.created', session)));
  };

  return {
    event: async ({ event: { type, properties } }) => {
      const part = properties?.part;
      if (type === 'message.part.updated' && part?.type === 'text' && !part.synthetic) words.set(part.sessionID, part.text);
      const session = properties?.sessionID ?? properties?.info?.id;
      if (type === 'session.idle') void tell(event('session.idle', session, { last_assistant_message: words.get(session) ?? '' }));
      if (type === 'session.compacted') void tell(event('session.compacted', session));
      if (type === 'session.deleted') void tell(event('session.deleted', session));
    },
    'chat.message': async (input, output) => {
      const session = input.sessionID;
      latest = session;
      await start(session);
      const prompt = (output.parts ?? []).filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text).join('\\n');
      add(session, await tell(event('chat.message', session, { prompt, message_id: output.message?.id ?? input.messageID })));
    },
    'tool.execute.before': async (input, output) => {
      inputs.set(input.callID, output.args);
    },
    'tool.execute.after': async (input, output) => {
      const tool_input = input.args ?? inputs.get(input.callID) ?? {};
      inputs.delete(input.callID);
      const tool_response = output?.output ?? output?.content ?? output;
      void tell(event('tool.execute.after', input.sessionID, { tool_name: input.tool, tool_use_id: input.callID, tool_input, tool_response, metadata: output?.metadata }));
    },
    'experimental.chat.system.transform': async (input, output) => {
      for (const context of contexts.get(input.sessionID ?? latest) ?? []) output.system.push(context);
    },
  };
};
`;
}
