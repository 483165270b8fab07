// Joins the small files that one start needs into one: finding, reading and linking a hundred of them costs more than running them.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Node's own modules, and where something else is meant, what stands beside the file. Importing `node:module` for it would cost every start. */
const REQUIRE =
  "const require=n=>process.getBuiltinModule(n)??process.getBuiltinModule('module').createRequire(import.meta.url)(n);";

/** To ask Node's `performance` for the time loads all that measures performance. Not injected: that would have every module ask for it first. */
export const PLAIN_CLOCK = { 'performance.now': 'monotonicNow' };
const CLOCK = 'const monotonicNow=()=>{const[s,n]=process.hrtime();return s*1e3+n/1e6};';

export const BANNER = REQUIRE + CLOCK;

const JOINED = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * `groups` names files as dynamic imports know them, with a folder before it where two have the same name; the first of a group gives the new file its name, or is the new file where it is an entry point. All that they
 * import statically is joined, except what an earlier group has. The old files stay where they are and hand on what is in the new one, so that each module still exists
 * once; the new files ask each other without that detour.
 */
export async function mergeChunks(folder, { outputs }, groups) {
  const files = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const find = (name) => {
    const found = [...files.keys()].filter((file) =>
      name.includes('/')
        ? files.get(file).entryPoint?.endsWith(`/${name}.ts`)
        : file === `${name}.js` || new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(file),
    );
    if (found.length !== 1) throw new Error(`there are ${found.length} files ${name} to be joined`);
    return found[0];
  };
  const moved = new Map();
  for (const names of groups) {
    const members = [...reach(files, names.map(find))].filter((file) => !moved.has(file)).sort();
    const asked = listAsked(folder, files, members);
    const target = find(names[0]) === `${names[0]}.js` ? `${names[0]}.js` : `together-${names[0]}.js`;
    for (const [at, file] of members.entries()) {
      const wanted = files.get(file).exports.filter((own) => file === target || asked(file, own));
      const exported = wanted.map((own) => ({ own, as: file === target ? own : `m${at}_${own}` }));
      moved.set(file, { target, exported });
    }
    await joinFiles(folder, target, new Map(members.map((file) => [file, moved.get(file).exported])));
  }
  for (const [file, { target, exported }] of moved) if (file !== target) handOn(join(folder, file), target, exported);
  const targets = [...new Set([...moved.values()].map(({ target }) => target))];
  for (const target of targets) shortenWays(join(folder, target), moved);
  const scripts = {};
  for (const target of targets) scripts[basename(target, '.js')] = await makeScript(folder, target, moved);
  const loader = readFileSync(join(import.meta.dirname, 'load-script.js'), 'utf8');
  writeFileSync(
    join(folder, 'load-script.js'),
    loader.replace('const FILES = {};', `const FILES = ${JSON.stringify(scripts)};`),
  );
}

/** Whether anything outside asks for a name of one of these files: naming what nobody asks for takes each start milliseconds. */
function listAsked(folder, files, members) {
  const names = new Set();
  const wholly = new Set();
  for (const [file, { imports }] of files) {
    for (const { path, kind } of imports) if (kind === 'dynamic-import') wholly.add(basename(path));
    if (members.includes(file) || !file.endsWith('.js')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, list, from] of text.matchAll(/\b(?:import|export)\{([^}]*)\}from"\.\/([^"/]+\.js)"/g))
      for (const each of list.split(',')) names.add(`${from} ${each.split(' as ')[0]}`);
    for (const [, from] of text.matchAll(/\b(?:import|export)\*[^"]*from"\.\/([^"/]+\.js)"/g)) wholly.add(from);
  }
  return (file, name) => wholly.has(file) || names.has(`${file} ${name}`);
}

/** As load-script.js takes it; a module of the old name stays for those that import it. Returns the name of the script's file. */
async function makeScript(folder, target, moved) {
  const path = join(folder, target);
  const isTarget = (name) => moved.values().some((each) => each.target === name);
  const { outputFiles } = await build({
    entryPoints: [path],
    outfile: path,
    write: false,
    ...JOINED,
    format: 'cjs',
    define: { 'import.meta.url': 'ltmUrl' },
    plugins: [keepOutside(new Map()), withoutBanner(folder)],
  });
  const script = exportValues(toAscii(outputFiles[0].text))
    .replace(/\bimport\("(\.\/[^"/]+\.js)"\)/g, (whole, file) =>
      isTarget(basename(file)) ? `Promise.resolve(require("${file}"))` : whole,
    )
    // A script may import only by way of a module.
    .replace(/\bimport\(/g, 'ltmImport(');
  const exports = [...moved.values()]
    .filter((each) => each.target === target)
    .flatMap(({ exported }) => exported.map(({ as }) => as));
  const name = basename(target, '.js');
  const wrapped = `(function(require,module,exports,ltmUrl,ltmImport){${script.replace('"use strict";', `"use strict";${CLOCK}`)}\n})`;
  const file = `${name}-${createHash('sha256').update(wrapped).digest('hex').slice(0, 8)}.cjs`;
  writeFileSync(join(folder, file), wrapped);
  writeFileSync(
    path,
    `import{loadScript}from"./load-script.js";const m=loadScript("${name}");export const ${exports.map((own) => `${own}=m.${own}`).join()};\n`,
  );
  return file;
}

/**
 * esbuild defines a function for each name, to be asked again each time, and asks for the same script once for each file that it joined: that took each start
 * milliseconds. Here all is known once the script has run, since scripts ask only for earlier ones while they load.
 */
function exportValues(text) {
  // A name may begin with $, before which there is no border of a word.
  const getters = /(?<![\w$])([\w$]+)\(([\w$]+),\{((?:[\w$]+:\(\)=>[\w$]+,?)+)\}\);module\.exports=[\w$]+\(\2\);/;
  const [whole, , , names] = getters.exec(text);
  const values = names.replaceAll(':()=>', ':');
  const asked = new Map();
  const body = text
    .replace(whole, '')
    .replace(/0&&\(module\.exports=\{[^}]*\}\);\s*$/, '')
    .replace(/(?<![\w$])([\w$]+=)(require\("\.\/[^"/]+\.js"\))(?=[,;])/g, (_, name, call) => {
      if (!asked.has(call)) asked.set(call, `ltmScript${asked.size}`);
      return name + asked.get(call);
    });
  const first = [...asked].map(([call, name]) => `const ${name}=${call};`).join('');
  return `${body.replace('"use strict";', `"use strict";${first}`)}module.exports={__proto__:null,${values}};`;
}

/** So that it can be read byte by byte: beyond ASCII only regular expressions are left, which know these escapes. */
function toAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function handOn(path, target, exported) {
  writeFileSync(path, `export{${exported.map(({ own, as }) => `${as} as ${own}`).join()}}from"./${target}";\n`);
}

/** What was joined into another file is imported from there, and not by way of the old one. */
function shortenWays(path, moved) {
  const early = /\bimport\{([^}]*)\}from"\.\/([^"/]+\.js)"/g;
  const bare = /\bimport"\.\/([^"/]+\.js)"/g;
  const late = /\bimport\("\.\/([^"/]+\.js)"\)/g;
  const rename = ({ exported }, name) => exported.find(({ own }) => own === name).as;
  const text = readFileSync(path, 'utf8')
    .replace(early, (whole, names, file) => {
      const found = moved.get(file);
      if (found === undefined) return whole;
      const renamed = names.split(',').map((each) => {
        const [own, here = own] = each.split(' as ');
        return `${rename(found, own)} as ${here}`;
      });
      return `import{${renamed.join()}}from"./${found.target}"`;
    })
    .replace(bare, (whole, file) => (moved.has(file) ? `import"./${moved.get(file).target}"` : whole))
    .replace(late, (whole, file) => {
      const found = moved.get(file);
      if (found === undefined) return whole;
      const { target, exported } = found;
      return `import("./${target}").then(m=>({${exported.map(({ own, as }) => `${own}:m.${as}`).join()}}))`;
    });
  writeFileSync(path, text);
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

function joinFiles(folder, target, members) {
  const contents = [...members]
    .map(([file, names]) => `export{${names.map(({ own, as }) => `${own} as ${as}`).join()}}from"./${file}";`)
    .join('\n');
  return build({
    stdin: { contents, resolveDir: folder, loader: 'js' },
    outfile: join(folder, target),
    allowOverwrite: true,
    ...JOINED,
    plugins: [keepOutside(members), withoutBanner(folder), plainBuiltins],
    banner: { js: BANNER },
  });
}

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

/** Modules of Node's that take milliseconds to load, and that most commands never use: they are loaded by the first call of one of their functions. */
const LATE = ['child_process', 'crypto', 'fs/promises', 'net', 'readline/promises', 'worker_threads', 'zlib'];

/** Imported, a module of Node's loads all it could ever give; asked for this way, only what is used, and when it is used. */
const plainBuiltins = {
  name: 'plain-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: describeBuiltin(path) }));
  },
};

function describeBuiltin(path) {
  const all = process.getBuiltinModule(path);
  const names = Object.keys(all).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== 'default');
  const isLate = (name) => LATE.includes(path.slice('node:'.length)) && typeof all[name] === 'function';
  return [
    `let all;const get=()=>all??=process.getBuiltinModule('${path}');`,
    // A class may be extended and asked for its own properties; a function is only called, and often.
    'const lateClass=(name)=>new Proxy(function(){},{apply:(_,on,args)=>get()[name](...args),construct:(_,args)=>new(get()[name])(...args),get:(_,own)=>get()[name][own]});',
    'const custom=Symbol.for("nodejs.util.promisify.custom");',
    'const late=(name)=>Object.defineProperty((...args)=>get()[name](...args),custom,{get:()=>get()[name][custom]});',
    'export default /* @__PURE__ */get();',
    ...names.map((name) =>
      isLate(name)
        ? `export const ${name}=/* @__PURE__ */${/^[A-Z]/.test(name) ? 'lateClass' : 'late'}('${name}');`
        : `export const ${name}=/* @__PURE__ */(()=>get().${name})();`,
    ),
  ].join('\n');
}
