// Every rule, parser and reader that meets text which others wrote. One that is added stands here, in one line.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cleanSaid } from '../../src/agents/clean-said.ts';
import { removeJsonAt, setJsonAt } from '../../src/agents/edits/edit-json.ts';
import { removeTomlTable, setTomlTable } from '../../src/agents/edits/edit-toml.ts';
import { removeYamlEntry, setYamlEntry } from '../../src/agents/edits/edit-yaml.ts';
import { readTranscript } from '../../src/agents/find-transcripts.ts';
import { formatAnswer, guessAgent } from '../../src/agents/hooks.ts';
import { readSaidLine } from '../../src/agents/read-said-line.ts';
import { readClient } from '../../src/auth/oauth/client-policy.ts';
import { salvage } from '../../src/cli/read-stdin.ts';
import { projectIn } from '../../src/client/project-folder.ts';
import { createScreen } from '../../src/compat/observations/observe-event.ts';
import { splitTime } from '../../src/compat/service/split-time.ts';
import { readTurns } from '../../src/compat/service/store-session.ts';
import { cleanText as cleanForEmbedding, stripSpeakerLabels } from '../../src/embedders/static/clean-text.ts';
import { windowsOf } from '../../src/engine/records/redact-content.ts';
import { splitContent, splitPassages } from '../../src/engine/records/split-passages.ts';
import { listParts, spanOf } from '../../src/engine/rejections/statements.ts';
import { readTimePhrase } from '../../src/engine/time/read-time-phrase.ts';
import { composeSummary } from '../../src/features/consolidation/compose-summary.ts';
import { cutSections } from '../../src/features/documents/cut-sections.ts';
import { readIgnoreRules } from '../../src/features/documents/ignore-rules.ts';
import { decodeText } from '../../src/features/documents/readers/decode-text.ts';
import { detectFormat } from '../../src/features/documents/readers/formats.ts';
import { readDocument } from '../../src/features/documents/readers/read-document.ts';
import { extractEntities } from '../../src/features/graph/extract-entities.ts';
import { createReasonFinder } from '../../src/features/graph/find-reason.ts';
import { findStatements } from '../../src/features/harvest/find-statements.ts';
import { parsePacket } from '../../src/features/packets/parse-packet.ts';
import { readPacketTime } from '../../src/features/packets/read-packet-time.ts';
import { renderResume } from '../../src/features/packets/render-resume.ts';
import { describeOutput } from '../../src/features/sessions/capture/describe-output.ts';
import { hashText } from '../../src/features/sessions/capture/event-key.ts';
import { makeEvent } from '../../src/features/sessions/capture/make-event.ts';
import { isOwnTool, matchesName } from '../../src/features/sessions/capture/own-tools.ts';
import { type Payload, readPayload } from '../../src/features/sessions/capture/read-payload.ts';
import { compareLines } from '../../src/features/sessions/compare-lines.ts';
import { markLine } from '../../src/features/sessions/context/given-lines.ts';
import { readTopic } from '../../src/features/sessions/context/topic.ts';
import { describeEvent } from '../../src/features/sessions/derive-observation.ts';
import { findError } from '../../src/features/sessions/find-error.ts';
import { nameSymbols } from '../../src/features/sessions/name-symbols.ts';
import { nameTopics } from '../../src/features/sessions/name-topics.ts';
import { oneLine, plainLines } from '../../src/features/sessions/plain-output.ts';
import { readCommand } from '../../src/features/sessions/read-command.ts';
import { readPatch } from '../../src/features/sessions/read-patch.ts';
import { readStatements } from '../../src/features/sessions/read-statements.ts';
import { readTestResults } from '../../src/features/sessions/read-test-results.ts';
import { withoutRemember } from '../../src/features/sessions/remember-prompt.ts';
import { splitSentences } from '../../src/features/sessions/split-sentences.ts';
import { readSummary } from '../../src/features/summaries/read-summary.ts';
import { readTravelLine } from '../../src/features/sync/travel-line.ts';
import {
  findImporter,
  IMPORTERS,
  lookAt,
  recogniseImporter,
} from '../../src/features/transfer/importers/importer-table.ts';
import { convertImported } from '../../src/features/transfer/importers/make-lines.ts';
import { readSqlDump } from '../../src/features/transfer/importers/read-sql-dump.ts';
import { readSummedLine } from '../../src/features/transfer/line-sum.ts';
import { readExport } from '../../src/features/transfer/read-export.ts';
import { compilePattern } from '../../src/features/workspaces/linear-regex.ts';
import { readNotePath, readTripleName } from '../../src/features/workspaces/workspace.ts';
import { cleanJson, exposeJson } from '../../src/mcp/clean-text.ts';
import { readPlainCall } from '../../src/mcp/plain-call.ts';
import { canonicalJson } from '../../src/model/canonical-json.ts';
import { createCutter } from '../../src/model/cut-chunks.ts';
import { diffLines } from '../../src/model/diff-lines.ts';
import { estimateTokens } from '../../src/model/estimate-tokens.ts';
import { cleanName, cleanText, escapeHiddenInJson, exposeText, showHidden } from '../../src/model/hidden-characters.ts';
import { readMessage } from '../../src/model/json-rpc.ts';
import { hasForbiddenKey, measureDepth, parseJson } from '../../src/model/json-text.ts';
import { matchesSigns, readPathSigns, readSigns } from '../../src/model/match-glob.ts';
import { nearestName } from '../../src/model/nearest-name.ts';
import { readOpaque } from '../../src/model/opaque.ts';
import { readExactTime, readWrittenTime } from '../../src/model/read-exact-time.ts';
import { readFrontMatter } from '../../src/model/read-front-matter.ts';
import { readLines } from '../../src/model/read-lines.ts';
import { readTags } from '../../src/model/tags.ts';
import { slugOf } from '../../src/model/workspace-id.ts';
import { prose } from '../../src/pages/html.ts';
import { checkFields } from '../../src/privacy/check-fields.ts';
import { readCustomPatterns, replaceCustom } from '../../src/privacy/custom-patterns.ts';
import { findKeys, mayPartKey } from '../../src/privacy/cut-keys.ts';
import { compileDenied, findDeniedPaths, isDenied } from '../../src/privacy/denied-paths.ts';
import { examineText } from '../../src/privacy/examine-text.ts';
import { isHighRisk } from '../../src/privacy/high-risk.ts';
import { redactLines } from '../../src/privacy/redact-lines.ts';
import { redactTexts } from '../../src/privacy/redact-texts.ts';
import { removeSpans, unwrapResult } from '../../src/privacy/remove-spans.ts';
import { replaceSecrets } from '../../src/privacy/replace-secrets.ts';
import { screenInput, screenText } from '../../src/privacy/screen.ts';
import { expandBraces, splitShellWords } from '../../src/privacy/shell-words.ts';
import { readLineChunks } from '../../src/rest/read-body.ts';
import { mayName, patternOf } from '../../src/search/question-names.ts';
import { containsPhrase } from '../../src/search/text/contains-phrase.ts';
import { lexicalSimilarity } from '../../src/search/text/lexical-similarity.ts';
import { firstLine, makeLine, makeSnippet } from '../../src/search/text/make-snippet.ts';
import { parseQuery } from '../../src/search/text/parse-query.ts';
import { readQueryKind } from '../../src/search/text/query-kind.ts';
import { readSpeaker } from '../../src/search/text/read-speaker.ts';
import { splitSentences as splitForSearch } from '../../src/search/text/split-sentences.ts';
import { tokenize } from '../../src/search/text/tokenize.ts';
import { cutRuns, cutRunsInTurns } from '../../src/search/text/word-runs.ts';
import { KIND_TABLE } from '../all-kinds.ts';
import { foldClaim } from '../fold-claim.ts';
import { DATABASES, makeDatabase, officeFiles, pdfFiles, zstdBody } from './packed-texts.ts';

export interface Reader {
  name: string;
  /** Given the hostile text in whatever form it meets one. What it answers is no matter, nor is a refusal. */
  read(text: string): unknown;
  /** Pieces that mean something to it. */
  own?: readonly string[];
}

const scratch = mkdtempSync(join(tmpdir(), 'ltm-readers-'));
const NOW = Date.UTC(2026, 0, 1);
const READER = { now: NOW, timeZone: 'Europe/Berlin' };
const DENIED = compileDenied(['*a*a*a*b', 'x/**/y/*']);
const AROUND = { directory: '/home/a', variables: { HOME: '/home/a', A: '{a,b}' } };
const PATTERNS = readCustomPatterns(['(a+)+b', '\\d{4}-\\d{4}', '(?:x|xx)*y']).patterns;
const RULES = {
  excludeTools: ['*a*b*c'],
  excludePaths: ['*a*b*c'],
  excludeProjects: ['*a*a*b'],
  patterns: PATTERNS,
  replacesSecrets: true,
};
const KINDS = KIND_TABLE;
const END = { id: '1'.repeat(20), key: 'release-day', createdAt: NOW };
const linesOf = (text: string): string[] => text.split('\n');

/** The text where a field of JSON is, the rest of it being what the reader asks for; and the text itself as JSON, where it is JSON. */
function asPayload(text: string): Record<string, unknown>[] {
  const event = { session_id: 'a', cwd: '/home/a' };
  return [
    { ...event, hook_event_name: 'UserPromptSubmit', prompt: text },
    { ...event, hook_event_name: 'Stop', last_assistant_message: text },
    {
      ...event,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: text },
      tool_response: { stdout: text, stderr: text },
    },
    {
      ...event,
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: text, old_string: text, new_string: text },
      tool_response: text,
    },
    { ...event, session_id: text, cwd: text, hook_event_name: 'SessionStart', source: text, transcript_path: text },
  ];
}

/** A hook has one event: each is a step of its own. */
async function makeEvents(text: string): Promise<void> {
  for (const fields of asPayload(text)) {
    const payload = readPayload(fields, ['claude-code']) as Payload;
    const made = makeEvent(payload, RULES, { variables: {}, now: NOW });
    if (typeof made !== 'string') describeEvent(made);
    await nextTurn();
  }
}

function inFile(name: string, content: string): string {
  const path = join(scratch, name);
  writeFileSync(path, content);
  return path;
}

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* each<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

async function drain(items: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** What each system writes, with the text in each of its fields. */
const FOREIGN: Readonly<Record<string, (text: string) => string>> = {
  chatgpt: (text) =>
    JSON.stringify([
      {
        title: text,
        create_time: 1,
        conversation_id: 'a',
        mapping: { a: { id: 'a', message: { id: 'a', author: { role: 'user' }, content: { parts: [text] } } } },
      },
    ]),
  claude: (text) =>
    JSON.stringify([
      { uuid: 'a', name: text, chat_messages: [{ uuid: 'a', sender: 'human', text, created_at: text }] },
    ]),
  mem0: (text) => JSON.stringify([{ id: 'a', memory: text, user_id: text, categories: text, created_at: text }]),
  'knowledge-graph': (text) =>
    `${JSON.stringify({ type: 'entity', name: 'a', entityType: text, observations: [text] })}\n${text}`,
  'memory-service': (text) =>
    JSON.stringify({
      export_metadata: {},
      memories: [{ content: text, content_hash: 'a', tags: text, created_at: text }],
    }),
  markdown: (text) => text,
};

async function importAll(text: string): Promise<void> {
  for (const [name, write] of Object.entries(FOREIGN)) {
    const place = lookAt(inFile(name === 'markdown' ? 'a.md' : `${name}.json`, write(text)));
    for (const importer of IMPORTERS) await importer.recognise(place);
    await convertImported(name, findImporter(name).read(place), { at: NOW, now: NOW, project: null });
  }
}

const SAID: Readonly<Record<string, (text: string) => string>> = {
  'claude-code': (text) =>
    JSON.stringify({ type: 'user', uuid: 'a', timestamp: text.slice(0, 99), message: { role: 'user', content: text } }),
  codex: (text) =>
    JSON.stringify({
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    }),
  gemini: (text) => JSON.stringify({ messages: [{ id: 'a', type: 'user', content: text }] }),
  cursor: (text) => `_Exported on 1/1/2026 from Cursor_\n\n---\n\n**User**\n\n${text}\n`,
};

async function readTranscripts(text: string): Promise<void> {
  for (const [agent, write] of Object.entries(SAID))
    for (const content of [write(text), text]) {
      const path = inFile(`rollout-${agent}.jsonl`, content);
      const transcript = await readTranscript({ agent: agent as 'codex', path, changedAt: NOW }).catch(() => null);
      for (const one of transcript?.said ?? []) findStatements(one);
    }
}

function packetOf(text: string): string {
  return JSON.stringify({
    schema: 'core-memory-packet/v1',
    id: '0'.repeat(64),
    title: text,
    summary: text,
    decisions: [text],
    constraints: linesOf(text).slice(0, 100),
  });
}

const DOCUMENTS = ['md', 'txt', 'html', 'csv', 'tsv', 'json', 'jsonl', 'py', 'ts', 'xml', 'yaml', 'log'];
const PACKETS = ['{"schema":', '"title":"', '\\ud800', '1e400', '\\u0000'];
const SHELL = [
  'cat ',
  'sed -n 1p ',
  '$(',
  '`',
  '<<EOF\n',
  '&& ',
  '| ',
  '{a,b}',
  '{1..9}',
  '*',
  '?',
  '[a-z]',
  '~/',
  '$HOME',
  "$'\\x41'",
  '\\\n',
  '2>&1 ',
  '; ',
];
const PRIVATE = [
  '<private>',
  '</private>',
  '<system-reminder>',
  '</system-reminder>',
  '<ltm-context>',
  '<persisted-output>',
];
const KEYS = [
  '12→',
  '   1\t',
  '> ',
  '# ',
  '"',
  '\\n',
  '+',
  'MIIEow',
  'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo',
  '-----END RSA PRIVATE KEY-----\n',
  'PuTTY-User-Key-File-2: ',
  'Private-Lines: 4\n',
];
const SECRETS = [
  'password: "',
  "password='",
  'AWS_SECRET_ACCESS_KEY=',
  '{"password":"',
  'passphrase: ',
  'PINECONE_API_KEY',
  '_authToken=',
  'ltm auth ',
  'xoxb-',
  'AIza',
  '${',
  '://u:',
  '@h/',
  ...KEYS,
];

export const READERS: readonly Reader[] = [
  // what hooks and clients of agents send
  { name: 'hook: payload, event, description', read: makeEvents, own: [...SHELL, ...PRIVATE, ...KEYS] },
  {
    name: 'hook: payload of any fields',
    read: (text) => readPayload((parseJson(text) ?? {}) as object as Record<string, unknown>),
  },
  { name: 'hook: text that is cut', read: salvage, own: ['{"a":"', '\\u', '\\', '",', '":'] },
  { name: 'hook: output', read: (text) => describeOutput({ a: text, b: [text], c: parseJson(text) }) },
  {
    name: 'hook: names of tools',
    read: (text) => [isOwnTool(text, text), matchesName('*a*a*a*b', text), matchesName(text, 'abc')],
    own: ['mcp__', 'ltm', 'mcp_a_', 'memory_'],
  },
  {
    name: 'hook: agent and answer',
    read: (text) => [
      guessAgent({ hook_event_name: text, session_id: text }),
      formatAnswer('claude-code', 'SessionStart', text),
    ],
  },
  { name: 'hook: key', read: hashText },
  { name: 'hook: project', read: projectIn, own: ['/', '../', '\\'] },
  {
    name: 'observe: event',
    read: (text) =>
      createScreen(RULES)(
        {
          event: 'tool',
          session: text,
          project: text,
          directory: text,
          agent: text,
          text,
          tool: { name: text, input: { command: text, path: text }, response: text },
          useId: null,
        },
        NOW,
      ),
    own: SHELL,
  },
  // privacy
  { name: 'secrets', read: replaceSecrets, own: SECRETS },
  {
    name: 'secrets in values',
    read: (text) =>
      redactTexts(
        {
          password: text.slice(0, text.length >> 1),
          [text.slice(0, 5000)]: text.slice(0, 5000),
          list: linesOf(text.slice(text.length >> 1)),
        },
        '',
      ),
    own: SECRETS,
  },
  { name: 'secrets in lines', read: (text) => redactLines(Buffer.from(text)), own: SECRETS },
  {
    name: 'secrets in packets',
    read: (text) => checkFields({ title: text.slice(0, text.length >> 1), a: linesOf(text.slice(text.length >> 1)) }),
    own: SECRETS,
  },
  {
    name: 'screened text',
    read: (text) => [screenText(text, { patterns: PATTERNS }), screenText(text, { max: 160, isResult: true })],
    own: [...PRIVATE, ...SECRETS],
  },
  {
    name: 'screened input',
    read: (text) => screenInput({ a: text, b: linesOf(text), c: { d: text } }, PATTERNS),
    own: [...PRIVATE, ...SECRETS],
  },
  { name: 'private spans', read: (text) => [removeSpans(text), unwrapResult(text)], own: PRIVATE },
  {
    name: 'custom patterns',
    read: (text) => [replaceCustom(text, PATTERNS), readCustomPatterns([text, { pattern: text.slice(0, 200) }])],
  },
  { name: 'high risk', read: isHighRisk, own: KEYS },
  { name: 'privacy check', read: (text) => examineText(text, PATTERNS), own: [...PRIVATE, ...SECRETS] },
  {
    name: 'denied paths',
    read: (text) => [
      isDenied(text, DENIED),
      findDeniedPaths({ command: text, path: text, args: linesOf(text), other: text.slice(0, 4000) }, DENIED, AROUND),
    ],
    own: SHELL,
  },
  { name: 'shell words', read: (text) => [splitShellWords(text, AROUND.variables), expandBraces(text)], own: SHELL },
  {
    name: 'globs',
    read: (text) => [
      matchesSigns(readSigns('*a*a*a*?b'), text),
      matchesSigns(readSigns(text.slice(0, 4000)), 'a'.repeat(4000)),
      matchesSigns(readPathSigns('**/a/**/b'), text),
    ],
    own: ['*', '?', '**/', '[a-z]', 'a'],
  },
  {
    name: 'ignore rules',
    read: (text) => readIgnoreRules(text).isIgnored('a/b/c.md', false),
    own: ['*\n', '!a\n', '**/', '/\n', '[a-\n', '\\ \n'],
  },
  // documents
  ...DOCUMENTS.map(
    (ending): Reader => ({
      name: `document: ${ending}`,
      read: (text) => readDocument({ name: `a.${ending}`, bytes: Buffer.from(text) }),
    }),
  ),
  {
    name: 'document: office',
    read: async (text) => {
      for (const file of officeFiles(text)) await readDocument(file).catch(() => null);
    },
    own: ['<w:p>', '<w:t>', '<text:p>', '<c r="A1">', '<v>', '<row r="1">', '<si><t>', '<a:p>', '&amp;', '</', '/>'],
  },
  {
    name: 'document: PDF',
    read: async (text) => {
      for (const bytes of pdfFiles(text)) await readDocument({ name: 'a.pdf', bytes }).catch(() => null);
    },
    own: ['1 0 obj\n', 'endobj\n', '<<', '>>', '/Kids [', 'stream\n', 'endstream\n', '(a) Tj\n', 'xref\n', '1 0 R '],
  },
  {
    name: 'document: format and encoding',
    read: (text) => [
      detectFormat('a', Buffer.from(text)),
      detectFormat(text, Buffer.from('a')),
      decodeText(Buffer.from(text, 'latin1'), 'a'),
    ],
  },
  {
    name: 'document: sections',
    read: (text) =>
      drain(
        cutSections('1'.repeat(20) as never, [{ headings: [text.slice(0, 1000)], text, line: 1 }], {
          sectionChars: 3600,
          overlapChars: 200,
        }),
      ),
  },
  { name: 'document: windows', read: (text) => drain(windowsOf(text, { mayPartKey, findKeys })) },
  {
    name: 'front matter',
    read: readFrontMatter,
    own: ['---\n', 'a: b\n', 'a:\n', '- b\n', 'a: [b, c]\n', 'a: "b"\n', "a: 'b'\n"],
  },
  // transcripts, importers, exports, exchange
  {
    name: 'transcripts',
    read: readTranscripts,
    own: ['**User**\n', '**Cursor**\n', '---\n', '{"type":"user"}\n', '<command-name>', '```\n'],
  },
  { name: 'transcript: lines', read: (text) => linesOf(text).slice(0, 2000).map(readSaidLine) },
  {
    name: 'statements of transcripts',
    read: (text) => [findStatements({ by: 'user', text }), findStatements({ by: 'agent', text })],
  },
  { name: 'what was said', read: cleanSaid, own: ['<system-reminder>', '</system-reminder>', '```', '~~~', '> ', '|'] },
  { name: 'importers', read: importAll, own: ['[[', '[[a|', '[[a#', '- a [[', ']]', '#a ', '---\n'] },
  {
    name: 'importers: databases',
    read: async (text) => {
      for (const name of DATABASES) {
        const path = join(scratch, name);
        makeDatabase(path, text);
        const place = lookAt(path);
        const importer = await recogniseImporter(place);
        if (importer !== null)
          await convertImported(importer.name, importer.read(place), { at: NOW, now: NOW, project: null });
      }
    },
    own: ['{"tags":["', '["a","', '{"id":"'],
  },
  {
    name: 'SQL dump',
    read: readSqlDump,
    own: [
      'INSERT INTO "a" VALUES(',
      'CREATE TABLE a (b TEXT, c);\n',
      "'",
      "''",
      "X'00'",
      ',',
      ');\n',
      '(',
      'INSERT INTO a (b) VALUES',
      'char(10)',
      '--\n',
      '/*',
    ],
  },
  {
    name: 'export',
    read: (text) => readExport(KINDS, each(linesOf(`{"format":"ltm-export","version":1}\n${text}`))).catch(() => null),
    own: ['{"type":"memory","content":"a"}\n', ',"sum":"'],
  },
  { name: 'export: sum of a line', read: readSummedLine, own: [',"sum":"', '"}'] },
  {
    name: 'exchange: line',
    read: (text) => [readTravelLine(text), readTravelLine(JSON.stringify({ id: text, content: text, stamps: text }))],
  },
  {
    name: 'lines of a body',
    read: async (text) => [await drain(readLines(chunksOf(text, 65_536))), await drain(readLines(chunksOf(text, 512)))],
  },
  {
    name: 'lines of a zstd body',
    read: async (text) => {
      for await (const line of readLines(readLineChunks(zstdBody(text), 2_000_000))) readTravelLine(line);
    },
    own: ['{"record":', '\n', '"stamps":"'],
  },
  {
    name: 'chunks',
    read: (text) => {
      const cutter = createCutter();
      return [cutter.push(Buffer.from(text)), cutter.end()];
    },
  },
  // packets
  {
    name: 'packet',
    read: (text) => [parsePacket(text, { anySize: true }), parsePacket(packetOf(text), { anySize: true })],
    own: PACKETS,
  },
  { name: 'packet as text', read: (text) => renderResume(JSON.parse(packetOf(text))) },
  { name: 'packet: time', read: readPacketTime },
  // search
  { name: 'words', read: tokenize },
  { name: 'runs of words', read: cutRuns },
  { name: 'runs of words in turns', read: (text) => cutRunsInTurns(text, async () => {}) },
  { name: 'query', read: (text) => [parseQuery(text), readQueryKind(text)], own: ['"', 'AND ', 'tag:', '-'] },
  {
    name: 'snippet',
    read: (text) => [
      makeSnippet(text, ['a', 'the'], 300),
      makeLine(text, ['a'], { snippet: 300, line: 120 }),
      firstLine(text, 120),
    ],
  },
  { name: 'phrase', read: (text) => [containsPhrase(text, 'a b'), containsPhrase(text, text.slice(0, 500))] },
  { name: 'similar texts', read: (text) => lexicalSimilarity(text, text.slice(1)) },
  { name: 'sentences', read: (text) => [splitForSearch(text), splitSentences(text)] },
  {
    name: 'speakers and names',
    read: (text) => [readSpeaker(text), mayName(text, 'a b'), patternOf(text.slice(0, 200)).test(text)],
    own: ['Keiko: ', 'a b: '],
  },
  {
    name: 'passages',
    read: (text) => [splitPassages(text), splitContent(text, { maxChars: 3000, overlapChars: 200 })],
  },
  { name: 'text for vectors', read: (text) => [cleanForEmbedding(text), stripSpeakerLabels(text)] },
  // what rules read out of texts
  { name: 'entities', read: extractEntities },
  {
    name: 'reasons of relations',
    read: (text) => {
      const find = createReasonFinder();
      const [a, b] = [
        { ...END, content: text },
        { ...END, id: '2'.repeat(20), content: text.slice(7) },
      ] as never[];
      return find(a!, b!, new Set());
    },
  },
  {
    name: 'summary of memories',
    read: (text) =>
      composeSummary(
        [0, 1, 2].map((i) => ({ id: `${i}`, content: text.slice(i * 10), tags: ['a'], createdAt: NOW })) as never,
      ),
  },
  { name: 'statements of sessions', read: readStatements },
  { name: 'topics', read: (text) => [nameTopics(text, 10), readTopic(text), markLine(text), estimateTokens(text)] },
  { name: 'commands', read: readCommand, own: SHELL },
  {
    name: 'patches',
    read: readPatch,
    own: ['*** Begin Patch\n', '*** Update File: a\n', '@@\n', '+a\n', '-a\n', '--- a\n', '+++ b\n'],
  },
  {
    name: 'test results',
    read: (text) => [readTestResults(plainLines(text)), findError(plainLines(text)), oneLine(text, 200)],
  },
  { name: 'symbols', read: (text) => nameSymbols(linesOf(text), linesOf(text).slice(1)) },
  {
    name: 'changed lines',
    read: (text) => [
      compareLines(text, text.slice(1)),
      diffLines(text, text.slice(1)),
      diffLines(text, linesOf(text).reverse().join('\n')),
    ],
  },
  { name: '#remember', read: withoutRemember, own: ['#remember', ' #remember '] },
  { name: 'claims', read: (text) => [foldClaim(text), spanOf(text), [...listParts(text, [1, 2])].length] },
  {
    name: 'times',
    read: (text) => [
      attempt(() => readTimePhrase(text, READER)),
      attempt(() => readTimePhrase(text.slice(0, 500), READER)),
      readExactTime(text),
      readWrittenTime(text),
      splitTime(text, READER),
      splitTime(text.slice(0, 300), READER),
    ],
  },
  {
    name: 'answers of summarizers',
    read: (text) => [readSummary(text), readSummary(JSON.stringify({ choices: [{ message: { content: text } }] }))],
    own: ['{"title":"', '```json\n'],
  },
  {
    name: 'conversations',
    read: (text) => [attempt(() => readTurns(text)), readTurns([{ role: text, content: text }])],
  },
  // names, JSON and other small forms
  {
    name: 'unseen characters',
    read: (text) => [
      cleanName(text),
      cleanText(text),
      exposeText(text),
      showHidden(text),
      escapeHiddenInJson(JSON.stringify(text)),
    ],
  },
  { name: 'values on the wire', read: (text) => [cleanJson({ [text]: [text] }), exposeJson([text, parseJson(text)])] },
  { name: 'tags', read: (text) => [readTags(text), readTags(linesOf(text))], own: [',', ', '] },
  {
    name: 'names and paths',
    read: (text) => [
      slugOf(text),
      attempt(() => readTripleName('project', text)),
      attempt(() => readNotePath(text)),
      nearestName(text, ['abc', 'abd']),
      readOpaque(text),
    ],
  },
  {
    name: 'JSON',
    read: (text) => [
      parseJson(text),
      measureDepth(text),
      hasForbiddenKey(parseJson(text)),
      attempt(() => canonicalJson(parseJson(text))),
    ],
  },
  {
    name: 'messages',
    read: (text) => [
      readMessage(text),
      readPlainCall(parseJson(text)),
      readMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: text, params: { name: text } })),
    ],
  },
  {
    name: 'registrations',
    read: (text) => [
      readClient(parseJson(text)),
      readClient({ redirect_uris: [text], client_name: text, client_uri: text, scope: text }),
    ],
    own: ['https://', '@', ':', '%2e'],
  },
  {
    name: 'patterns of searches',
    read: (text) => [
      attempt(() => compilePattern(text.slice(0, 1000), { deadline: performance.now() + 500 }).test(text)),
      compilePattern('(a|a)*(a|b)+c{1,50}d?').test(text),
    ],
    own: ['(', ')', '*', '+', '{1,9}', '[a-z]', '|', '\\w', '.', '(?:'],
  },
  { name: 'prose of pages', read: prose },
  // files of agents
  {
    name: 'settings: JSON',
    read: (text) => [
      attempt(() => setJsonAt({ text, name: 'a' }, ['mcpServers', 'ltm'], { command: 'ltm' })),
      attempt(() => removeJsonAt({ text: `{"a": {"b": 1}, "c": ${text}`, name: 'a' }, ['a', 'b'])),
    ],
    own: ['{"a":1,', '// a\n', '/* a */', ',\n', '"\\u0041"', '[1,'],
  },
  {
    name: 'settings: TOML',
    read: (text) => [
      attempt(() => setTomlTable(text, TABLE, { command: 'ltm' })),
      attempt(() => removeTomlTable(`[mcp_servers.ltm]\na = 1\n${text}`, TABLE)),
    ],
    own: ['[a]\n', '[[a]]\n', 'a = 1\n', 'a.b = "c"\n', '"""', "'''", '[a.b.c]\n', 'a = [', '{a = 1, ', '# a\n'],
  },
  {
    name: 'settings: YAML',
    read: (text) => [
      attempt(() => setYamlEntry(text, TABLE, { command: 'ltm' })),
      attempt(() => removeYamlEntry(`mcp_servers:\n  ltm:\n    a: b\n${text}`, TABLE, false)),
    ],
    own: ['a:\n', '  b: c\n', '- a\n', 'a: |\n', 'a: &b\n', '*b', '? a\n', '!!str ', '# a\n'],
  },
];

const TABLE = { file: 'a', parent: 'mcp_servers', name: 'ltm' };

/** A refusal is an answer, too. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
