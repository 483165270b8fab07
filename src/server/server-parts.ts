import type { ServerPart, SharedParts } from './http-parts.ts';
import { legacySsePart } from './legacy-sse-part.ts';
import { oauthPart } from './oauth-part.ts';
import { packetPart } from './packet-part.ts';
import { tokensFilePart } from './tokens-file-part.ts';

/** Everything the server offers besides MCP at /mcp and REST at /api/v1, in the order in which it is asked. */
export async function makeServerParts(shared: SharedParts): Promise<readonly ServerPart[]> {
  return [legacySsePart(shared), tokensFilePart(shared), packetPart(shared), oauthPart(shared)];
}
