import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { Engine } from '../../src/engine/engine.ts';
import { createMcpHttpHandler } from '../../src/mcp/streamable-http.ts';
import type { Caller } from '../../src/model/caller.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { callerOf, type RecordingLog, recordingLog } from './stub-engine.ts';

export const ERAS: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }];

/** The SDK's client on the product's HTTP handler, without a socket between them. */
export async function connectClient(
  engine: Engine,
  options: {
    caller?: Caller;
    mode?: VersionNegotiationMode;
    sessions?: boolean;
    families?: readonly string[];
  } = {},
): Promise<{ client: Client; log: RecordingLog; close(): Promise<void> }> {
  const log = recordingLog();
  const { caller = callerOf(), mode = 'legacy', sessions = false } = options;
  const handler = createMcpHttpHandler(engine, {
    log,
    tools: await createTools(),
    sessions,
    families: options.families,
  });
  const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: async (url, init) => {
      const parsedBody = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
      return handler.handle(new Request(url, init), caller, parsedBody);
    },
  });
  await client.connect(transport);
  return {
    client,
    log,
    close: async () => {
      await client.close();
      await handler.close();
    },
  };
}
