import { setTimeout as sleep } from 'node:timers/promises';
import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { PNG, WAV } from './fixture-media.ts';

const JSON_SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

const embedded = {
  uri: 'test://embedded-resource',
  mimeType: 'text/plain',
  text: 'This is an embedded resource content.',
};
const mixed = {
  uri: 'test://mixed-content-resource',
  mimeType: 'application/json',
  text: '{"test":"data","value":123}',
};
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };

export function addFixtureTools(server: McpServer): void {
  const add = (name: string, run: () => CallToolResult): unknown =>
    server.registerTool(name, { description: name }, async () => run());
  add('test_simple_text', () => text('This is a simple text response for testing.'));
  add('test_image_content', () => ({ content: [image] }));
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  add('test_embedded_resource', () => ({ content: [{ type: 'resource', resource: embedded }] }));
  add('test_multiple_content_types', () => ({
    content: [{ type: 'text', text: 'Multiple content types test:' }, image, { type: 'resource', resource: mixed }],
  }));
  add('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }));
  add('test_trigger_tool_change', () => text('The tools never change.'));
  add('test_trigger_prompt_change', () => text('The prompts never change.'));
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'JSON Schema 2020-12', inputSchema: fromJsonSchema(JSON_SCHEMA_2020) },
    async () => text('ok'),
  );
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  server.registerTool(
    'test_custom_header',
    { description: 'A parameter mirrored in a header', inputSchema: z.object({ region }) },
    async (args) => text(args.region),
  );
  addTalkingTools(server);
}

/** Tools that say something before they answer. */
function addTalkingTools(server: McpServer): void {
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: name }, async (context) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.mcpReq.log('info', line);
        await sleep(50);
      }
      return text('Logged three lines.');
    });
  }
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await sleep(50);
    }
    return text('Done.');
  });
}
