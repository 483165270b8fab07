import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { text } from './fixture-tools.ts';

const NAME = z.object({ name: z.string() });
const CONFIRM = z.object({ ok: z.boolean() });

const ENUMS = {
  type: 'object' as const,
  properties: {
    untitledSingle: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string' as const,
      oneOf: ['First', 'Second', 'Third'].map((word, index) => ({
        const: `value${index + 1}`,
        title: `${word} Option`,
      })),
    },
    legacyEnum: {
      type: 'string' as const,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array' as const,
      items: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array' as const,
      items: {
        anyOf: ['First', 'Second', 'Third'].map((word, index) => ({
          const: `value${index + 1}`,
          title: `${word} Choice`,
        })),
      },
    },
  },
};

const DEFAULTS = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'John Doe' },
    age: { type: 'integer' as const, default: 30 },
    score: { type: 'number' as const, default: 95.5 },
    status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean' as const, default: true },
  },
};

type ElicitParams = Parameters<typeof inputRequired.elicit>[0];

/** Tools that ask the client for something before they answer: by a request in 2025, by an input-required result in 2026. */
export function addFixtureInputTools(server: McpServer, mint: (state: string) => Promise<string>): void {
  addElicitingTools(server);
  addSamplingTools(server);
  addStatefulTools(server, mint);
}

function ask(message: string, requestedSchema: ElicitParams['requestedSchema']): InputRequest {
  return inputRequired.elicit({ message, requestedSchema });
}

function sample(prompt: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
}

function addElicitingTools(server: McpServer): void {
  const eliciting = (name: string, prefix: string, request: (args: { message?: string }) => InputRequest): void => {
    server.registerTool(
      name,
      { description: name, inputSchema: z.object({ message: z.string().optional() }) },
      async (args, context) => {
        const answer = inputResponse(context.mcpReq.inputResponses, 'answer');
        if (answer.kind !== 'elicit')
          return inputRequired({
            inputRequests: { answer: request(args.message === undefined ? {} : { message: args.message }) },
          });
        return text(`${prefix}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
      },
    );
  };
  const user = z.object({
    username: z.string().describe("User's response"),
    email: z.string().describe("User's email address"),
  });
  eliciting('test_elicitation', 'User response', ({ message = '' }) => ask(message, user));
  eliciting('test_elicitation_sep1034_defaults', 'Elicitation completed', () =>
    ask('Please review the defaults', DEFAULTS),
  );
  eliciting('test_elicitation_sep1330_enums', 'Elicitation completed', () => ask('Please choose', ENUMS));
  eliciting('test_streaming_elicitation', 'Answered', () => ask('What is your name?', NAME));
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, async (context) => {
    const given = acceptedContent(context.mcpReq.inputResponses, 'user_name', NAME);
    return given === undefined
      ? inputRequired({ inputRequests: { user_name: ask('What is your name?', NAME) } })
      : text(`Hello, ${given.name}!`);
  });
}

function addSamplingTools(server: McpServer): void {
  const sampling = (
    name: string,
    key: string,
    prefix: string,
    question: (args: { prompt?: string }) => string,
  ): void => {
    server.registerTool(
      name,
      { description: name, inputSchema: z.object({ prompt: z.string().optional() }) },
      async (args, context) => {
        const answer = inputResponse(context.mcpReq.inputResponses, key);
        if (answer.kind === 'sampling') return text(`${prefix}${JSON.stringify(answer.result.content)}`);
        return inputRequired({
          inputRequests: { [key]: sample(question(args.prompt === undefined ? {} : { prompt: args.prompt })) },
        });
      },
    );
  };
  sampling('test_sampling', 'answer', 'LLM response: ', ({ prompt = '' }) => prompt);
  sampling('test_missing_capability', 'answer', '', () => 'This needs sampling.');
  sampling('test_input_required_result_sampling', 'capital_question', '', () => 'What is the capital of France?');
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: 'Asks for the roots' },
    async (context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'client_roots');
      return answer.kind === 'roots'
        ? text(`Roots: ${JSON.stringify(answer.roots)}`)
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for what the client can do' },
    async (context) => {
      const capabilities = clientCapabilities(context);
      const inputRequests: Record<string, InputRequest> = {};
      if ('sampling' in capabilities) inputRequests.greeting = sample('Generate a greeting');
      if ('elicitation' in capabilities) inputRequests.user_name = ask('What is your name?', NAME);
      const isAnswered = Object.keys(inputRequests).every(
        (key) => inputResponse(context.mcpReq.inputResponses, key).kind !== 'missing',
      );
      return isAnswered ? text('Thank you.') : inputRequired({ inputRequests });
    },
  );
}

function clientCapabilities(context: ServerContext): object {
  const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities === 'object' && capabilities !== null ? capabilities : {};
}

function addStatefulTools(server: McpServer, mint: (state: string) => Promise<string>): void {
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    server.registerTool(name, { description: name }, async (context) => {
      const state = context.mcpReq.requestState<string>();
      const isConfirmed = acceptedContent(context.mcpReq.inputResponses, 'confirm', CONFIRM) !== undefined;
      if (state === 'asked' && isConfirmed) return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', CONFIRM) },
        requestState: await mint('asked'),
      });
    });
  }
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks for three things' },
    async (context) => {
      const responses = context.mcpReq.inputResponses;
      const isAnswered = ['user_name', 'greeting', 'client_roots'].every(
        (key) => inputResponse(responses, key).kind !== 'missing',
      );
      if (isAnswered && context.mcpReq.requestState<string>() === 'asked') return text('All three arrived.');
      const inputRequests = {
        user_name: ask('What is your name?', NAME),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      };
      return inputRequired({ inputRequests, requestState: await mint('asked') });
    },
  );
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (context) => {
    const responses = context.mcpReq.inputResponses;
    const state = context.mcpReq.requestState<string>();
    const color = z.object({ color: z.string() });
    if (state === 'second' && acceptedContent(responses, 'step2', color) !== undefined)
      return text('Both steps are done.');
    if (state === 'first' && acceptedContent(responses, 'step1', NAME) !== undefined) {
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', color) },
        requestState: await mint('second'),
      });
    }
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', NAME) },
      requestState: await mint('first'),
    });
  });
}
