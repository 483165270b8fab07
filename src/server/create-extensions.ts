import type { ExtensionPorts, ServerExtension } from './compose-http.ts';
import { legacySseExtension } from './legacy-sse-extension.ts';
import { oauthExtension } from './oauth-extension.ts';
import { packetExtension } from './packet-extension.ts';
import { tokensFileExtension } from './tokens-file-extension.ts';

/** Everything the server offers besides MCP at /mcp and REST at /api/v1, in the order in which it is asked. */
export async function createExtensions(shared: ExtensionPorts): Promise<readonly ServerExtension[]> {
  return [legacySseExtension(shared), tokensFileExtension(shared), packetExtension(shared), oauthExtension(shared)];
}
