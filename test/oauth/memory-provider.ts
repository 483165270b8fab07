import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

export interface MemoryProvider extends OAuthClientProvider {
  kept: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    verifier?: string;
    sentTo?: URL;
    discovery?: OAuthDiscoveryState;
  };
}

/** What a real MCP client keeps between its steps. With `documentUrl` it has a description of its own and does not register. */
export function makeProvider(redirectUrl: string, documentUrl?: string): MemoryProvider {
  const kept: MemoryProvider['kept'] = {};
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Test agent',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return {
    kept,
    redirectUrl,
    clientMetadata,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    state: () => 'state-of-the-client',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { sentTo: url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => void Object.assign(kept, { discovery: state }),
    discoveryState: () => kept.discovery,
  };
}
