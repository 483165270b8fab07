import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EngineError } from '../model/errors.ts';

/** Only these: a file in a folder that somebody else made must not choose where memories are sent. */
const NAMES = ['LTM_DB_PATH', 'MCP_TOKENS_PATH'] as const;

/** As the networked server reads it; a folder without the file is usual. */
export function readDotEnv(folder: string): Partial<Record<(typeof NAMES)[number], string>> {
  const path = join(folder, '.env');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return {};
    throw new EngineError('invalid_input', `${path} cannot be read.`, {
      cause,
      hint: 'Check its permissions, or start from another folder.',
    });
  }
  const found = parseEnv(text.replace(/^\uFEFF/, ''));
  return Object.fromEntries(NAMES.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])));
}
