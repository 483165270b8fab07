// Loads what the build has joined. Node keeps of what it compiles only what runs at once, so that each start compiles again all that a command calls; this keeps, for
// each command that people wait for, what it has called. Goes to dist/ as it is, with the names of the files filled in.
const builtin = (name) => process.getBuiltinModule(name);

/** The file of each script; its name changes with what is in it. */
const FILES = {};
/** Commands that differ in what they call, and are called often; all others share one. */
const OWN = new Set(['search', 'store', 'save', 'list', 'get', 'mcp', 'serve', 'read', 'ls', 'context']);
/** Names and effects of the flags below are those of this V8. */
const KNOWN_V8 = '13.6.';
/** Of these, the ones that end by themselves after a few dozen milliseconds. */
const BRIEF = new Set(['search', 'store', 'save', 'list', 'get', 'read', 'ls', 'context']);
/**
 * For them: a function is compiled by an optimising compiler only once it has run ten times as long as usual, and the room for new objects grows at once. Otherwise a
 * third of a command's time goes to machine code that it leaves unused, and to collecting garbage just before it ends.
 */
const BRIEF_FLAGS = [
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-maglev-osr=1000',
  '--invocation-count-for-turbofan=30000',
  '--invocation-count-for-osr=5000',
  '--semi-space-growth-factor=16',
];
/**
 * For `ltm mcp`: once what calls of tools need is loaded, the slower of the two optimising compilers waits until a function ran five times as long as usual. What the faster one
 * makes of it is nearly as quick, and few sessions are long enough to earn the rest. Not before, and not while a script is loaded: code is taken only under the flags
 * that it was kept under.
 */
const PATIENT = {
  script: 'together-create-tools',
  usual: '--invocation-count-for-turbofan=10000',
  flag: '--invocation-count-for-turbofan=50000',
};
/** A sum of what follows, and how often it was taken; so long that what follows begins where V8 can read it without copying it. */
const HEAD_BYTES = 8;
const TIMES_AT = 4;
/**
 * The first run may have called little of what later ones call: its help was asked for, or nothing was stored yet. So it is taken again after the second, and after one
 * of so many, and replaced where there is more of it.
 */
const TAKEN_AGAIN = 1 / 32;
const WORTH_MORE = 1.03;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

const folder = new URL('.', import.meta.url);
const loaded = new Map();
let keeping = null;
let isPatient = false;

/** From now on, compiled code is looked for in this folder, and the compiler suits the command: what was kept under other flags is not taken. */
export function keepCompiled(cacheFolder, command) {
  const isKnown = process.versions.v8?.startsWith(KNOWN_V8) === true;
  if (BRIEF.has(command) && isKnown) compileLess();
  builtin('module').enableCompileCache(builtin('path').join(cacheFolder, 'compiled'));
  const made = [process.version, process.arch, ...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  keeping = {
    folder: builtin('path').join(cacheFolder, 'scripts'),
    suffix: `${OWN.has(command) ? command : 'other'}-${nameOf(made)}`,
    isServer: command === 'serve',
    isSession: command === 'mcp' && isKnown,
  };
}

/** Node's own modules come with code that was compiled under the usual flags: those that every command uses are loaded before, in a fifth of the time. */
function compileLess() {
  for (const name of ['module', 'node:sqlite', 'stream/consumers', 'timers/promises', 'url', 'vm', 'zlib'])
    builtin(name);
  void builtin('util').parseArgs;
  void process.stdout;
  for (const flag of BRIEF_FLAGS) setFlag(flag);
}

function setFlag(flag) {
  builtin('v8').setFlagsFromString(flag);
}

export function loadScript(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = new URL(FILES[name], folder);
  const filename = builtin('url').fileURLToPath(file);
  const source = builtin('fs').readFileSync(filename, 'latin1');
  const kept = readKept(name);
  if (isPatient) setFlag(PATIENT.usual);
  const script = new (builtin('vm').Script)(source, { filename, cachedData: kept });
  isPatient ||= name === PATIENT.script && keeping?.isSession === true;
  if (isPatient) setFlag(PATIENT.flag);
  const module = { exports: {} };
  const isKept = kept !== undefined && !script.cachedDataRejected;
  loaded.set(name, { script, kept: isKept ? kept : undefined, exports: module.exports });
  script.runInThisContext()(requireFrom(file), module, module.exports, file.href, importBeside);
  loaded.get(name).exports = module.exports;
  return module.exports;
}

/**
 * As they were when the script was loaded: code is taken only under the flags that it was kept under, and a server changes these once it has started
 * (src/server/bound-memory.ts).
 */
const USUAL_FLAGS = ['--no-optimize-for-size', '--semi-space-growth-factor=2', '--heap-growing-percent=0'];

/** Once a command has run: what it has compiled, for the next one. Where it cannot be kept, nothing is lost. */
export function storeCompiled() {
  if (keeping === null) return;
  if (isPatient) setFlag(PATIENT.usual);
  if (keeping.isServer) for (const flag of USUAL_FLAGS) setFlag(flag);
  const isTakenAgain = Math.random() < TAKEN_AGAIN;
  for (const [name, { script, kept }] of loaded) {
    const times = kept === undefined ? 0 : timesTaken(kept);
    if (times > 1 && !isTakenAgain) continue;
    try {
      const data = script.createCachedData();
      if (times < 2 || data.length > kept.length * WORTH_MORE) writeKept(placeOf(name), data, Math.min(times + 1, 2));
    } catch {}
  }
}

function importBeside(name) {
  return import(name);
}

/** A script asks for the same ones a hundred times. */
function requireFrom(file) {
  const asked = new Map();
  return (name) => {
    const known = asked.get(name) ?? find(name, file);
    asked.set(name, known);
    return known;
  };
}

function find(name, file) {
  const own = /^\.\/(.+)\.js$/.exec(name)?.[1];
  if (own !== undefined && FILES[own] !== undefined) return loadScript(own);
  return process.getBuiltinModule(name) ?? process.getBuiltinModule('module').createRequire(file)(name);
}

function placeOf(name) {
  return builtin('path').join(keeping.folder, `${builtin('path').basename(FILES[name], '.cjs')}-${keeping.suffix}`);
}

/** undefined where there is nothing, or not what was written. */
function readKept(name) {
  if (keeping === null) return undefined;
  let bytes;
  try {
    bytes = builtin('fs').readFileSync(placeOf(name));
  } catch {
    return undefined;
  }
  if (bytes.length <= HEAD_BYTES) return undefined;
  const kept = bytes.subarray(HEAD_BYTES);
  return builtin('zlib').crc32(kept) === bytes.readUInt32LE(0) ? kept : undefined;
}

function timesTaken(kept) {
  return new Uint8Array(kept.buffer, kept.byteOffset - HEAD_BYTES + TIMES_AT, 1)[0];
}

function writeKept(place, data, times) {
  const { mkdirSync, writeFileSync, renameSync } = builtin('fs');
  mkdirSync(builtin('path').dirname(place), { recursive: true, mode: 0o700 });
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(builtin('zlib').crc32(data));
  head[TIMES_AT] = times;
  const draft = `${place}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([head, data]), { mode: 0o600 });
  renameSync(draft, place);
  clearOld(builtin('path').dirname(place));
}

/** What programs have left that were updated since, or have not run for long. */
function clearOld(folder) {
  const { readdirSync, rmSync, statSync } = builtin('fs');
  for (const name of readdirSync(folder)) {
    const place = builtin('path').join(folder, name);
    if (statSync(place).mtimeMs < Date.now() - MAX_AGE_MS) rmSync(place, { force: true });
  }
}

/** FNV-1a. */
function nameOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
