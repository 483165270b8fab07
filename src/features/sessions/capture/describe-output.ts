/** What a tool gave back, as text a person can read, whatever form the agent has for it. */
export function describeOutput(response: unknown): string {
  return describe(response, 0).trim();
}

const DEEPEST = 6;
/** More is not kept anyway; a result of many megabytes is not put together first. */
const MOST_CHARS = 1_000_000;

/** Names under which agents and tools put the text itself, in the order in which they are believed. */
const TEXTS = ['llmContent', 'content', 'textResultForLlm', 'text', 'output', 'result', 'stdout', 'file', 'filenames'];
/** Beside a text they say nothing more, or say it again. */
const LEFT_OUT = new Set([
  'originalFile',
  'returnDisplay',
  'structuredContent',
  '_meta',
  'isImage',
  'interrupted',
  'noOutputExpected',
  'data',
  'base64',
  'blob',
  'type',
  'resultDisplay',
  'annotations',
]);

function describe(value: unknown, depth: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.length > MOST_CHARS ? value.slice(0, MOST_CHARS) : value;
  if (typeof value !== 'object') return String(value);
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return describeList(value, depth);
  return describeObject(value as Record<string, unknown>, depth);
}

function describeList(items: readonly unknown[], depth: number): string {
  let text = '';
  for (const item of items) {
    const one = describe(item, depth + 1);
    if (one !== '') text += text === '' ? one : `\n${one}`;
    if (text.length > MOST_CHARS) break;
  }
  return text;
}

function describeObject(object: Record<string, unknown>, depth: number): string {
  if (object.type === 'image' || object.inlineData !== undefined) return '[image]';
  if (object.type === 'audio') return '[audio]';
  if (Array.isArray(object.structuredPatch)) return describePatch(object);
  if (typeof object.functionResponse === 'object') return describe(object.functionResponse, depth + 1);
  if (typeof object.resource === 'object') return describe(object.resource, depth + 1);
  const name = TEXTS.find((one) => object[one] !== undefined && object[one] !== null && object[one] !== '');
  if (name === undefined) return describeFields(object, depth);
  const text = describe(object[name], depth + 1);
  const error = [object.stderr, object.error].map((one) => describe(one, depth + 1)).filter((one) => one !== '');
  return [text, ...error].filter((one) => one !== '').join('\n');
}

/** `oldStart` … are the numbers of a hunk in a diff. */
interface Hunk {
  oldStart?: number;
  newStart?: number;
  lines?: readonly string[];
}

function describePatch({ filePath, structuredPatch }: Record<string, unknown>): string {
  const hunks = (structuredPatch as readonly Hunk[]).map(
    ({ oldStart = 0, newStart = 0, lines = [] }) => `@@ -${oldStart} +${newStart} @@\n${lines.join('\n')}`,
  );
  return [...(typeof filePath === 'string' ? [filePath] : []), ...hunks].join('\n');
}

function describeFields(object: Record<string, unknown>, depth: number): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (LEFT_OUT.has(name)) continue;
    const text = describe(value, depth + 1);
    if (text !== '') lines.push(text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`);
  }
  return lines.join('\n');
}
