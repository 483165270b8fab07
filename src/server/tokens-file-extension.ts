import { openTokensFile } from '../auth/tokens-file.ts';
import type { ExtensionPorts, ServerExtension } from './compose-http.ts';

/** Tokens of a file, where the operator has named one. Throws where it cannot be used: a server that lets nobody in helps nobody. */
export function tokensFileExtension({
  config,
  log,
  streams,
}: Pick<ExtensionPorts, 'config' | 'log' | 'streams'>): ServerExtension {
  if (config.tokensFile === null) return {};
  const tokens = openTokensFile(config.tokensFile, { log });
  tokens.onChange(() => void streams.lookNow());
  return {
    credentials: [tokens],
    async close() {
      tokens.close();
    },
  };
}
