import { extname } from 'node:path';

/** What can be read, as it is named in answers and documents. */
export const FORMATS = [
  ...(['markdown', 'text', 'html', 'pdf', 'docx', 'odt', 'pptx', 'xlsx', 'csv', 'json', 'jsonl', 'code'] as const),
];
export type Format = (typeof FORMATS)[number];

/** Endings of file names, without the dot. */
export const FORMAT_ENDINGS: Readonly<Record<Format, readonly string[]>> = {
  markdown: ['md', 'markdown', 'mdx', 'mdown', 'qmd', 'rmd'],
  text: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'log', 'tex', 'srt', 'vtt'],
  html: ['html', 'htm', 'xhtml'],
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  odt: ['odt'],
  pptx: ['pptx', 'pptm'],
  xlsx: ['xlsx', 'xlsm'],
  csv: ['csv', 'tsv', 'tab'],
  json: ['json', 'json5', 'geojson', 'ipynb', 'webmanifest'],
  jsonl: ['jsonl', 'ndjson'],
  code: [
    'ts',
    'tsx',
    'mts',
    'cts',
    'js',
    'jsx',
    'mjs',
    'cjs',
    'vue',
    'svelte',
    'py',
    'pyi',
    'rb',
    'go',
    'rs',
    'java',
    'kt',
    'kts',
    'scala',
    'groovy',
    'c',
    'h',
    'cc',
    'cpp',
    'cxx',
    'hpp',
    'hh',
    'cs',
    'fs',
    'swift',
    'm',
    'mm',
    'php',
    'pl',
    'pm',
    'lua',
    'r',
    'jl',
    'dart',
    'ex',
    'exs',
    'erl',
    'hrl',
    'hs',
    'ml',
    'mli',
    'clj',
    'cljs',
    'el',
    'lisp',
    'zig',
    'nim',
    'sh',
    'bash',
    'zsh',
    'fish',
    'ps1',
    'bat',
    'sql',
    'graphql',
    'gql',
    'proto',
    'thrift',
    'css',
    'scss',
    'less',
    'yaml',
    'yml',
    'toml',
    'ini',
    'cfg',
    'conf',
    'properties',
    'tf',
    'hcl',
    'nix',
    'gradle',
    'cmake',
    'xml',
    'xsd',
    'xsl',
    'svelte',
    'astro',
    'sol',
    'v',
    'vhd',
    'asm',
    's',
  ],
};

/** Files without an ending that are text all the same. */
const NAMES: Readonly<Record<string, Format>> = {
  readme: 'markdown',
  changelog: 'markdown',
  license: 'text',
  licence: 'text',
  copying: 'text',
  notice: 'text',
  authors: 'text',
  dockerfile: 'code',
  makefile: 'code',
  rakefile: 'code',
  gemfile: 'code',
  jenkinsfile: 'code',
  procfile: 'code',
  justfile: 'code',
  vagrantfile: 'code',
  'cmakelists.txt': 'code',
};

const MEDIA_TYPES: Readonly<Record<string, Format>> = {
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

const BY_ENDING = new Map(
  FORMATS.flatMap((format) => FORMAT_ENDINGS[format].map((ending) => [ending, format] as const)),
);

/** Those that take a program to read, whatever their size. */
export const BINARY_FORMATS: readonly (Format | null)[] = ['pdf', 'docx', 'odt', 'pptx', 'xlsx'];

/** By the name alone; null for what is not read. */
export function formatOfName(name: string): Format | null {
  const file = name.split(/[\\/]/).at(-1)!.toLowerCase();
  return NAMES[file] ?? BY_ENDING.get(extname(file).slice(1)) ?? null;
}

/** By the content where that shows it, then by the name, then by what the sender says. */
export function detectFormat(name: string, bytes: Uint8Array, mediaType?: string): Format | null {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  const named = formatOfName(name);
  if (named !== null) return named;
  const type = (mediaType ?? '').split(';')[0]!.trim().toLowerCase();
  return MEDIA_TYPES[type] ?? (type.startsWith('text/') ? 'text' : null);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, text.length)).toString('latin1') === text
  );
}
