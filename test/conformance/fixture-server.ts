import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { addFixtureInputTools } from './fixture-input-tools.ts';
import { addFixturePrompts } from './fixture-prompts.ts';
import { addFixtureResources } from './fixture-resources.ts';
import { addFixtureTools } from './fixture-tools.ts';

/** Signs what makes a round trip through the client. */
const states = createRequestStateCodec<string>({ key: 'conformance fixtures, thirty-two bytes or more' });

/** The tools, resources and prompts that the conformance suite calls by name. Never part of the product. */
export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'ltm-conformance-fixtures', version: '1' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  );
  addFixtureTools(server);
  addFixtureInputTools(server, (state) => states.mint(state));
  addFixturePrompts(server);
  addFixtureResources(server);
  return server;
}
