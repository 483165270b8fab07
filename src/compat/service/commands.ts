import type { CommandLine } from '../../cli/command.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'memory',
    summary: 'Understand the command line of mcp-memory-service',
    usage:
      '[server | status | ingest-document FILE | ingest-directory DIR | list-formats | launch | stop | restart | info | health | logs]',
    about:
      "With `alias memory='ltm memory'` scripts of mcp-memory-service go on working. server serves its tools over stdio, or with --http, --sse or --streamable-http over HTTP. launch starts a server in the background and stop ends it; they touch no other program. Storage backends are named in vain: there is one database. See docs/memory-service.md.",
    isLocal: true,
    flags: [
      { name: 'http', description: 'server: over HTTP, with REST.' },
      { name: 'sse', description: 'server: over HTTP with the older transport, on port 8765.' },
      { name: 'streamable-http', description: 'server: over HTTP, on port 8765.' },
      { name: 'http-host', value: 'HOST', description: 'server: where to listen.' },
      { name: 'http-port', value: 'PORT', description: 'server: the port.' },
      { name: 'sse-host', value: 'HOST', description: 'server: where to listen with --sse.' },
      { name: 'sse-port', value: 'PORT', description: 'server: the port with --sse.' },
      { name: 'host', value: 'HOST', description: 'launch, restart: where to listen.' },
      { name: 'port', value: 'PORT', description: 'launch, restart: the port.' },
      { name: 'detach', description: 'launch: in the background (the default).' },
      { name: 'foreground', description: 'launch: in this terminal.' },
      { name: 'debug', description: 'Log more.' },
      { name: 'storage-backend', short: 's', value: 'NAME', description: 'Has no effect.' },
      { name: 'tags', short: 't', value: 'TAG', many: true, description: 'ingest: tags; may be repeated.' },
      { name: 'chunk-size', short: 'c', value: 'N', description: 'ingest: longest passage; 1000 by default.' },
      { name: 'chunk-overlap', short: 'o', value: 'N', description: 'ingest: overlap; 200 by default.' },
      { name: 'memory-type', short: 'm', value: 'TYPE', description: 'ingest: document by default.' },
      { name: 'recursive', short: 'r', description: 'ingest-directory: folders below too (the default).' },
      { name: 'file-extensions', short: 'e', value: 'EXT', many: true, description: 'ingest-directory: only these.' },
      { name: 'max-files', value: 'N', description: 'ingest-directory: 100 by default.' },
      { name: 'dry-run', description: 'ingest-directory: only show what would be done.' },
      { name: 'verbose', short: 'v', description: 'Has no effect.' },
      { name: 'lines', short: 'n', value: 'N', description: 'logs: 30 by default.' },
    ],
    examples: [
      "alias memory='ltm memory'",
      'ltm memory server --http',
      'ltm memory ingest-document report.pdf -t work',
      'ltm memory launch --port 8000',
    ],
    load: async () => (await import('./memory-service.ts')).memory,
  },
];
