import { choice, flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import { CONTEXT_TAGS, type ContextRequest, type SessionContext } from '../session-context.ts';

export const getContext = defineVerb<ContextRequest, SessionContext>({
  needs: 'read',
  input: {
    project: label('Only what belongs to this project, or to none.'),
    session: label("The agent's id of the session. What it was given is not given again."),
    prompt: text('What the person asks. Without it, what the last sessions left is given.', { max: 100_000 }),
    event: choice(['start', 'prompt'], 'start: the session begins; prompt: its person has said something.'),
    max_tokens: integer(1, 8_000, 'Maximum number of tokens. Default: the setting context_max_tokens.'),
    max_entries: integer(1, 50, 'Maximum number of lines. Default: the setting context_max_entries.'),
    timeout_ms: integer(0, 10_000, 'How long it may take. Default: the setting context_timeout_ms.'),
    tag: choice(CONTEXT_TAGS, 'The name of the tags around it. Default: ltm-context.'),
    preview: flag('Only look: nothing is remembered as given.'),
  },
  run: ({ engine, caller }, { project, ...request }) =>
    engine.getContext(caller, { ...request, project: project ?? caller.project ?? null }),
  rest: {
    at: 'POST /context',
    summary: 'What a session of an agent should be given by itself',
    example: { body: { project: 'web', session: 's1', prompt: 'Why is the login test flaky?' } },
    answers: { 200: 'A block of text within its budget, or null and the reason.' },
  },
  command: {
    name: 'context',
    summary: 'Show what a session would be given by itself, and why',
    usage: '',
    about:
      'Prints the block that an agent would be given now at the start of a session, or with --prompt when its person says this; then why each line was chosen. Nothing is remembered as given.',
    flags: [['project', 'p'], 'prompt', 'session', 'max_tokens', 'max_entries', 'timeout_ms', 'tag'],
    maxWords: 0,
    examples: [
      'ltm context',
      'ltm context --project web --prompt "Why is the login test flaky?"',
      'ltm context --json',
    ],
  },
});
