import type { Json, JsonObject } from '../../model/json.ts';
import type { ToolUse } from '../../model/session-event.ts';
import { compareLines } from './compare-lines.ts';
import { type FileEdit, readPatch } from './read-patch.ts';

/** What a tool was asked to do, whichever agent has it and whatever it is called there. */
export type ToolCall =
  | { what: 'edit'; edits: FileEdit[] }
  | { what: 'command'; command: string; about: string }
  | { what: 'read'; paths: string[] }
  | { what: 'look'; pattern: string; place: string }
  | { what: 'web'; url: string; query: string }
  | { what: 'task'; about: string }
  | { what: 'plan'; steps: string[] }
  | { what: 'foreign'; server: string; name: string; about: string }
  | { what: 'other'; name: string; about: string };

/** Names of tools in lower case without signs, by what they do. */
const TOOLS: Readonly<Record<string, (input: JsonObject) => ToolCall | null>> = {
  ...named(
    'edit multiedit strreplace strreplaceeditor strreplacebasededittool replace searchreplace editfile update',
    readEdit,
  ),
  ...named('write writefile createfile create', readWrite),
  ...named('notebookedit', readNotebook),
  ...named('applypatch patch applydiff', readPatchInput),
  ...named(
    'bash shell shellcommand localshell runshellcommand execcommand runterminalcmd runterminalcommand exec terminal executecommand powershell',
    readCommandInput,
  ),
  ...named('read readfile readmanyfiles view viewimage cat notebookread', readPaths),
  ...named(
    'grep glob ls list listdirectory listdir searchfilecontent grepsearch filesearch codebasesearch search codesearch findfiles',
    readLook,
  ),
  ...named('webfetch fetch websearch googlewebsearch webrun', readWeb),
  ...named('task agent delegatetoagent spawnagent codebaseinvestigator', readTask),
  ...named('exitplanmode updateplan plan enterplanmode', readPlan),
};

export function readTool({ name, input, server }: ToolUse): ToolCall {
  const foreign = server === undefined ? /^mcp__?([^_].*?)__?(.+)$/.exec(name) : null;
  const about = firstText(input);
  if (server !== undefined || foreign !== null)
    return { what: 'foreign', server: server ?? foreign![1]!, name: foreign?.[2] ?? stripServer(name, server!), about };
  const read = TOOLS[name.toLowerCase().replace(/[^a-z0-9]/g, '')]?.(input);
  return read ?? { what: 'other', name, about };
}

function stripServer(name: string, server: string): string {
  const rest = /^mcp__?/.test(name) ? name.replace(/^mcp__?/, '') : name;
  return rest.startsWith(server) ? rest.slice(server.length).replace(/^_+/, '') || name : rest;
}

function named<T>(names: string, value: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

function readEdit(input: JsonObject): ToolCall | null {
  const path = pathOf(input);
  if (path === '') return readPatchInput(input);
  const all = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  const edits = all.map((edit) => {
    const [old, next] = [
      textOf(edit, 'old_string', 'oldString', 'old_str', 'search', 'old'),
      textOf(edit, 'new_string', 'newString', 'new_str', 'replace', 'code_edit', 'new', 'content'),
    ];
    return compareLines(old, next);
  });
  const whole: FileEdit = {
    path,
    how: edits.length > 0 && all.every((edit) => isEmptyOld(edit)) ? 'written' : 'edited',
    added: edits.flatMap(({ added }) => added),
    removed: edits.flatMap(({ removed }) => removed),
    before: edits[0]?.before ?? [],
  };
  return { what: 'edit', edits: [whole] };
}

/** An edit that replaces nothing writes a new file. */
function isEmptyOld(edit: JsonObject): boolean {
  return edit.old_string === '' || edit.oldString === '' || edit.old_str === '';
}

function readWrite(input: JsonObject): ToolCall | null {
  const path = pathOf(input);
  if (path === '') return null;
  const text = textOf(input, 'content', 'file_text', 'contents', 'text');
  const added = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return { what: 'edit', edits: [{ path, how: 'written', added, removed: [], before: [] }] };
}

function readNotebook(input: JsonObject): ToolCall | null {
  const path = pathOf(input);
  const added = textOf(input, 'new_source').split('\n');
  return path === '' ? null : { what: 'edit', edits: [{ path, how: 'edited', added, removed: [], before: [] }] };
}

function readPatchInput(input: JsonObject): ToolCall | null {
  const edits = readPatch(textOf(input, 'input', 'patch', 'patchText', 'patch_text', 'command', 'diff', 'changes'));
  return edits.length === 0 ? null : { what: 'edit', edits };
}

function readCommandInput(input: JsonObject): ToolCall | null {
  const given = input.command ?? input.cmd ?? input.script ?? input.commands;
  const command = Array.isArray(given) ? joinWords(given.map(String)) : typeof given === 'string' ? given : '';
  if (command.trim() === '') return null;
  const patch = /\bapply_patch\b/.test(command) ? readPatch(command) : [];
  if (patch.length > 0) return { what: 'edit', edits: patch };
  return { what: 'command', command, about: textOf(input, 'description') };
}

/** Of `["bash", "-lc", "npm test"]` the last word is the command itself. */
function joinWords(words: readonly string[]): string {
  return words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0]!) && /^-\w*c$/.test(words[1]!)
    ? words[2]!
    : words.join(' ');
}

function readPaths(input: JsonObject): ToolCall | null {
  const many = input.paths ?? input.include ?? input.files;
  const paths = Array.isArray(many) ? many.filter((path) => typeof path === 'string') : [pathOf(input)];
  return paths.some((path) => path !== '') ? { what: 'read', paths } : null;
}

function readLook(input: JsonObject): ToolCall {
  const pattern = textOf(input, 'pattern', 'query', 'regex', 'glob', 'glob_pattern');
  return {
    what: 'look',
    pattern,
    place: textOf(input, 'path', 'dir_path', 'include', 'directory', 'target_directory'),
  };
}

function readWeb(input: JsonObject): ToolCall {
  const prompt = textOf(input, 'prompt', 'query', 'q', 'search_query');
  const url = textOf(input, 'url') || (/https?:\/\/\S+/.exec(prompt)?.[0] ?? '');
  return { what: 'web', url, query: url === prompt ? '' : prompt };
}

function readTask(input: JsonObject): ToolCall {
  return { what: 'task', about: textOf(input, 'description', 'title', 'objective', 'prompt', 'task') };
}

function readPlan(input: JsonObject): ToolCall {
  const { plan } = input;
  const steps = Array.isArray(plan)
    ? plan.filter(isObject).map((step) => textOf(step, 'step', 'content', 'text'))
    : textOf(input, 'plan').split('\n');
  return { what: 'plan', steps: steps.map((step) => step.trim()).filter((step) => step !== '') };
}

function pathOf(input: JsonObject): string {
  return textOf(
    input,
    'file_path',
    'filePath',
    'path',
    'absolute_path',
    'notebook_path',
    'target_file',
    'filename',
    'file',
  );
}

function textOf(input: JsonObject, ...names: readonly string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** What is said of a tool that nobody knows: its first short text. */
function firstText(input: JsonObject): string {
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  return texts.find((text) => text.length <= 200) ?? texts[0] ?? '';
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FETCHES = /(?:^|[|;&(\s])(?:curl|wget|lynx|w3m|http|https|xh|gh (?:api|issue|pr)|glab (?:api|issue|mr))\s/;

/** Whether what a tool brings was written by others: pages of the web, answers of foreign servers, whatever a command fetches. */
export function isFromOutside(tool: ToolUse): boolean {
  const call = readTool(tool);
  return call.what === 'web' || call.what === 'foreign' || (call.what === 'command' && FETCHES.test(call.command));
}
