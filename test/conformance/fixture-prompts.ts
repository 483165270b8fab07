import {
  acceptedContent,
  completable,
  type GetPromptResult,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { PNG } from './fixture-media.ts';

type Content = GetPromptResult['messages'][number]['content'];

function say(...contents: Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

export function addFixturePrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, async () =>
    say({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  const two = z.object({
    arg1: completable(z.string(), (value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value))),
    arg2: z.string(),
  });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: two },
    async ({ arg1, arg2 }) => say({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  const uri = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: uri },
    async ({ resourceUri }) =>
      say(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, async () =>
    say({ type: 'image', data: PNG, mimeType: 'image/png' }, { type: 'text', text: 'Please analyze the image above.' }),
  );
  const wanted = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async (context) => {
    const given = acceptedContent(context.mcpReq.inputResponses, 'user_context', wanted);
    if (given !== undefined) return say({ type: 'text', text: `Use this context: ${given.context}` });
    const user_context = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: wanted,
    });
    return inputRequired({ inputRequests: { user_context } });
  });
}
