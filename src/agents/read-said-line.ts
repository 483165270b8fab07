import { parseJson } from '../model/json-text.ts';
import type { SaidLine } from '../model/said-line.ts';
import { asFields } from './agent-transcript.ts';
import { readClaudeLine } from './claude-code/read-transcript.ts';
import { readCodexLine } from './codex/read-transcript.ts';
import { readGeminiMessage } from './gemini/read-transcript.ts';

/** What a person or a model said in a line of a transcript, whichever agent wrote it; null for everything else. */
export function readSaidLine(line: string): SaidLine | null {
  // most lines are what tools gave back, and are not parsed
  if (!/"(?:user|assistant|gemini)"/.test(line)) return null;
  const value = asFields(parseJson(line));
  const said = readClaudeLine(value) ?? readCodexLine(value, '') ?? readGeminiMessage(value);
  return said === null ? null : { by: said.by, text: said.text, at: said.at };
}
