// Makes what is published: dist/ (two bundles that need no other package, and type declarations) and THIRD_PARTY_LICENSES.md.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { describeLookup } from '../src/embedders/static/embedding-table.ts';
import { lookupPath } from '../src/embedders/static/piece-lookup.ts';
import { BANNER, mergeChunks, PLAIN_CLOCK } from './merge-chunks.js';

/** For packages that state this licence but bring no file with it. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const MODEL_NOTE = `# The embedding model

\`dist/ltm-embed-v3.bin\` holds weights that were trained on 3.9 million pairs of text from free sources. About 544,000 of them are under the GPL and about a
million under share-alike licences (CC-BY-SA, CDLA-Sharing, GFDL); most of the others ask for attribution. \`dist/MODEL_CARD.md\` sums them up, and
\`dist/SOURCES.md\` names every source with its licence. The licence of ltm, Apache-2.0, is that of its code.
`;

process.chdir(dirname(import.meta.dirname));
rmSync('dist', { recursive: true, force: true });

/** zod carries its messages in forty languages, a third of its size; ours are English. */
const englishOnly = {
  name: 'english-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

/** oidc-provider knows its models and errors by the names of their classes, which minifying would change. */
const keptNames = {
  name: 'kept-names',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/oidc-provider\/lib\/.*\.js$/ }, async ({ path }) => ({
      contents: (await transform(readFileSync(path, 'utf8'), { keepNames: true, target: 'node22' })).code,
    })),
};

/** What features and systems hand over late, as files `<feature>/<part>`. */
const partsOf = (room, parts) =>
  readdirSync(`src/${room}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => parts.map((part) => `${name}/${part}`))
    .filter((path) => existsSync(`src/${room}/${path}.ts`));
/** Those of memories are in the group of every start. */
const VERBS_AND_COMMANDS = partsOf('features', ['verbs', 'commands']).filter((path) => !path.startsWith('memories/'));
const TOOLS = [...partsOf('features', ['tools']), ...partsOf('compat', ['tools'])];

const { metafile } = await build({
  entryPoints: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    // the thread in which documents are read
    'reader-thread': 'src/features/documents/reader-thread.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minify: true,
  legalComments: 'none',
  chunkNames: '[name]-[hash]',
  plugins: [englishOnly, keptNames],
  // Packages in the older module form ask for Node's own modules with `require`.
  banner: { js: BANNER },
  define: PLAIN_CLOCK,
  metafile: true,
  logLevel: 'warning',
});

await mergeChunks(resolve('dist'), metafile, [
  // The first message of `ltm mcp` is answered with these alone.
  ['cli'],
  [
    'run-command',
    'memories/commands',
    'memories/verbs',
    'answer-in-process',
    'agent-process',
    'read-memories',
    'change-memories',
    'open-sqlite-store',
    'static-embedder',
    'earlier-environment',
  ],
  // What is stored is looked through for secrets first; nothing else needs the rules.
  ['redact-texts'],
  // What else can be asked for, and what several of the other commands share: whatever is not named before the protocol's group, but in it, brings all of that along.
  [
    'open-remote-client',
    ...VERBS_AND_COMMANDS,
    'agent-intake',
    'packet-forms',
    'save-packet',
    'register-workspace',
    'receive-chunks',
    'upload-transcript',
    'read-transcripts',
    'status',
  ],
  // The table of all commands is for those who look through it.
  ['command-table', 'program', 'show-help'],
  // Nearly every call of a tool is answered with these; the protocol's own package only takes part in what else an agent may ask for.
  ['create-tools', 'call-tool', ...TOOLS],
  ['stdio-backend'],
  // An agent starts it at every event, and waits for it.
  ['hook'],
]);

// What agents start at every event: one file, in the module form that starts faster.
await build({
  entryPoints: { hook: 'src/features/sessions/capture/run-hook.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
});

execFileSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
keepReachable('dist/types/index.d.ts');
copyModel('ltm-embed-v3.bin', ['MODEL_CARD.md', 'SOURCES.md', 'FORMAT.md']);
await copyConformance();
writeFileSync('THIRD_PARTY_LICENSES.md', describeLicences(bundledPackages(metafile)));
printSizes();

/** tsc writes declarations for every module; what the public ones do not lead to is nobody's business. */
function keepReachable(entry) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/from ['"](\.[^'"]+)\.[jt]s['"]/g))
      visit(join(dirname(file), `${target}.d.ts`));
  };
  visit(entry);
  const all = readdirSync(dirname(entry), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(dirname(entry), name),
  );
  for (const file of all) if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}

/** Beside the bundles, where the static embedder looks for it; and beside it, what it was made of and under which terms. */
function copyModel(name, papers) {
  const source = join('models', name);
  if (!existsSync(source)) return console.warn(`${source} is not there: the package will search by words alone.`);
  for (const file of [name, ...papers]) copyFileSync(join('models', file), join('dist', file));
  writeFileSync(lookupPath(join('dist', name)), describeLookup(source));
}

/** Node does not run TypeScript out of an installed package, so the runner goes along as JavaScript, with its vectors beside it. */
async function copyConformance() {
  await build({
    entryPoints: ['conformance/run.ts'],
    outdir: 'dist/conformance',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  cpSync('conformance/vectors', 'dist/conformance/vectors', { recursive: true });
  copyFileSync('conformance/README.md', 'dist/conformance/README.md');
}

function bundledPackages({ inputs }) {
  const folders = new Set();
  for (const path of Object.keys(inputs)) {
    const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path);
    if (match !== null) folders.add(match[0]);
  }
  return [...folders].sort();
}

function describeLicences(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license, author, repository } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined && license !== 'MIT') throw new Error(`${name} is bundled but has no licence file`);
    const holder = author?.name ?? author ?? `the authors of ${repository?.url ?? repository ?? name}`;
    const text =
      file === undefined ? `Copyright (c) ${holder}\n\n${MIT}` : readFileSync(join(folder, file), 'utf8').trim();
    return `## ${name} ${version} (${license})\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  });
  return [
    MODEL_NOTE,
    '# Licences of the bundled packages\n',
    'The published files hold code of these packages.\n',
    ...parts,
  ].join('\n');
}

function printSizes() {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1).padStart(8)} kB`;
  const files = readdirSync('dist')
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => [join('dist', name), statSync(join('dist', name)).size])
    .sort(([, a], [, b]) => b - a);
  for (const [path, bytes] of files) console.log(`${kilobytes(bytes)}  ${path}`);
  console.log(`${kilobytes(files.reduce((sum, [, bytes]) => sum + bytes, 0))}  in all`);
}
