import { text } from 'node:stream/consumers';
import type { JsonObject } from '../model/json.ts';
import { parseJson } from '../model/json-text.ts';
import type { Arguments } from './read-arguments.ts';
import { UsageError } from './report-error.ts';
import type { Streams } from './terminal.ts';

/** The words of the command line, or stdin for `-` and for a pipe. */
export async function readContent(words: readonly string[], streams: Streams): Promise<string> {
  const fromStdin = words.length === 0 ? streams.stdin.isTTY !== true : words.length === 1 && words[0] === '-';
  const content = fromStdin ? await text(streams.stdin) : words.join(' ');
  if (content.trim() === '')
    throw new UsageError('There is no text to store.', 'Give it as an argument, or pipe it in: `ltm store "…"`.');
  return fromStdin ? content.replace(/\r?\n$/, '') : content;
}

/** KEY=VALUE pairs, whose values may be JSON, or a whole JSON object; repeated keys: the last one counts. */
export function readMetadata(args: Arguments): JsonObject | undefined {
  const given = args.values.metadata;
  if (!Array.isArray(given)) return undefined;
  return Object.fromEntries(given.flatMap((item) => Object.entries(readMetadataItem(item))));
}

function readMetadataItem(item: string): JsonObject {
  if (item.trimStart().startsWith('{')) {
    const value = parseJson(item);
    if (value === undefined) throw new UsageError('--metadata looks like a JSON object, but is not valid JSON.');
    return value as JsonObject;
  }
  const at = item.indexOf('=');
  if (at < 1) throw new UsageError(`--metadata is "${item}", but must be KEY=VALUE or a JSON object.`);
  const value = item.slice(at + 1);
  return { [item.slice(0, at).trim()]: (parseJson(value) as JsonObject[string] | undefined) ?? value };
}
