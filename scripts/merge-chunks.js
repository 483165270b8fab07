// Joins the small files that one start needs into one: finding, reading and linking a hundred of them costs more than running them.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * `groups` names files as dynamic imports know them, the first of a group giving the new file its name. All that they import statically is joined, except what an
 * earlier group has or what `apart` needs by itself. The old files stay where they are and hand on what is in the new one, so that each module still exists once.
 */
export async function mergeChunks(folder, { outputs }, { apart, groups }) {
  const files = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const find = (name) => {
    const found = [...files.keys()].find(
      (file) => file === `${name}.js` || new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(file),
    );
    if (found === undefined) throw new Error(`there is no file ${name} to be joined`);
    return found;
  };
  const taken = reach(files, apart.map(find));
  const stubs = [];
  for (const names of groups) {
    const roots = names.map(find);
    const members = [...reach(files, roots)].filter((file) => !taken.has(file)).sort();
    for (const file of members) taken.add(file);
    stubs.push(...(await joinFiles(folder, files, { name: `together-${names[0]}`, members })));
  }
  for (const { file, text } of stubs) writeFileSync(join(folder, file), text);
}

function reach(files, roots) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !files.has(file)) return;
    reached.add(file);
    for (const { path, kind } of files.get(file).imports) if (kind === 'import-statement') visit(basename(path));
  };
  roots.forEach(visit);
  return reached;
}

async function joinFiles(folder, files, { name, members }) {
  const joined = new Set(members);
  const exported = (file) => files.get(file).exports.map((own) => ({ own, as: `m${members.indexOf(file)}_${own}` }));
  const lists = members.map((file) => ({ file, names: exported(file) }));
  const contents = lists
    .map(({ file, names }) => `export{${names.map(({ own, as }) => `${own} as ${as}`).join()}}from"./${file}";`)
    .join('\n');
  await build({
    stdin: { contents, resolveDir: folder, loader: 'js' },
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [keepOutside(joined), withoutBanner(folder), plainBuiltins],
    banner: { js: BANNER },
  });
  return lists.map(({ file, names }) => ({
    file,
    text: `export{${names.map(({ own, as }) => `${as} as ${own}`).join()}}from"./${name}.js";\n`,
  }));
}

export const BANNER = "import{createRequire as ltmRequire}from'node:module';const require=ltmRequire(import.meta.url);";

const keepOutside = (joined) => ({
  name: 'keep-outside',
  setup: ({ onResolve }) =>
    // What is imported late comes by way of its old file: as a part of this one, all it shares with others would have to be ready to run late too.
    onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path, kind }) =>
      kind === 'import-statement' && joined.has(basename(path)) ? undefined : { path, external: true },
    ),
});

/** The joined file has it once. */
const withoutBanner = (folder) => ({
  name: 'without-banner',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) =>
      path.startsWith(folder) ? { contents: readFileSync(path, 'utf8').replace(BANNER, '') } : undefined,
    ),
});

/** Imported, a module of Node's loads all it could ever give; asked for this way, only what is used. */
const plainBuiltins = {
  name: 'plain-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: [
        `const all=process.getBuiltinModule('${path}');export default all;`,
        ...Object.keys(process.getBuiltinModule(path))
          .filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== 'default')
          .map((name) => `export const ${name}=/* @__PURE__ */(()=>all.${name})();`),
      ].join('\n'),
    }));
  },
};
