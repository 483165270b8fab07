import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isAllowedRedirect, readClient } from './client-policy.ts';

it('lets codes go to https, to this machine, and to private-use schemes', () => {
  const allowed = [
    'https://claude.ai/api/mcp/auth_callback',
    'http://localhost:1/x',
    'http://127.0.0.1/x',
    'http://[::1]:9/x',
    'cursor://a/b',
    'vscode-insiders://x',
    'com.example.app:/cb',
  ];
  const refused = [
    'http://example.org/x',
    'https://u:p@example.org/x',
    'https://@example.org/x',
    'https://example.org/#x',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://x',
    'https://*.example.org/',
    'https://exa mple.org/',
    'https://localhost/x',
    'x',
    '',
  ];
  assert.deepEqual(
    allowed.filter((uri) => !isAllowedRedirect(uri)),
    [],
  );
  assert.deepEqual(refused.filter(isAllowedRedirect), []);
});

it('keeps of a description what it knows, and cleans the name', () => {
  const client = readClient({
    client_name: 'Nice\n\u202eapp\u200b  name',
    redirect_uris: ['http://localhost/cb'],
    client_secret: 'mine',
    jwks_uri: 'https://evil.example/jwks',
    scope: 'anything',
  });
  assert.deepEqual(client, {
    client_name: 'Nice app name',
    redirect_uris: ['http://localhost/cb'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  });
});

it('refuses what is not a description', () => {
  const redirect_uris = ['https://a.example/cb'];
  for (const raw of [
    null,
    'x',
    [],
    {},
    { redirect_uris: 'https://a.example' },
    { redirect_uris: [] },
    { redirect_uris: [1] },
    { redirect_uris, client_name: 1 },
    { redirect_uris, grant_types: 'x' },
  ])
    assert.ok('error' in readClient(raw), JSON.stringify(raw));
});
