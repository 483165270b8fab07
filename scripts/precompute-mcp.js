// Writes src/mcp/precomputed.ts: what the stdio front answers before the SDK is loaded. Run it after a change of tools, resources, prompts or instructions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeAnswers, LEGACY_VERSIONS } from '../test/conformance/compute-answers.ts';

const { initialize, ...legacy } = await computeAnswers(LEGACY_VERSIONS[0]);
const modern = await computeAnswers('2026-07-28');

const quote = (value) => `'${JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const entries = (answers) =>
  Object.entries(answers).map(([method, result]) => `    '${method}':\n      ${quote(result)},`);

const lines = [
  '// Made by scripts/precompute-mcp.js; a test compares it with what the SDK answers.',
  'export interface Precomputed {',
  '  legacyVersions: readonly string[];',
  '  /** JSON text, as all results here; its protocolVersion is replaced by the one asked for. */',
  '  initialize: string;',
  '  legacy: Readonly<Record<string, string>>;',
  '  modern: Readonly<Record<string, string>>;',
  '}',
  '',
  'export const PRECOMPUTED: Precomputed = {',
  `  legacyVersions: [${LEGACY_VERSIONS.map((version) => `'${version}'`).join(', ')}],`,
  `  initialize:\n    ${quote(initialize)},`,
  '  legacy: {',
  ...entries(legacy),
  '  },',
  '  modern: {',
  ...entries(modern),
  '  },',
  '};',
  '',
];
const path = join(import.meta.dirname, '..', 'src', 'mcp', 'precomputed.ts');
writeFileSync(path, lines.join('\n'));
