// Puts `ltm` and `ltm-hook` of this clone on the PATH, started by the clone's own Node whatever the host has.
//   npm run link                   into ~/.local/bin, ~/bin or npm's folder: the first that is on the PATH and can be written to
//   npm run link -- --to FOLDER    into this one
//   npm run unlink [-- --to FOLDER]
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = dirname(import.meta.dirname);
const NAMES = ['ltm', 'ltm-hook'];
/** By this line a launcher is known again. */
const MARK = 'Starts the ltm of a clone; `npm run unlink` there takes this file away.';
const isWindows = process.platform === 'win32';
const path = (process.env.PATH ?? '').split(delimiter);

const { values: options } = parseArgs({
  options: { to: { type: 'string' }, undo: { type: 'boolean', default: false } },
});
process.exitCode = options.undo ? unlink() : link();

function link() {
  const folder = options.to === undefined ? chooseFolder() : resolve(options.to);
  const foreign = NAMES.map((name) => fileOf(folder, name)).find((file) => isThere(file) && !isOurs(file));
  if (foreign !== undefined) {
    console.error(
      `${foreign} is there already and is not a clone's. Remove it (npm uninstall -g ltm), or: --to FOLDER`,
    );
    return 1;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of NAMES) {
    const file = fileOf(folder, name);
    writeFileSync(file, launcher(join(ROOT, 'bin', `${name}.js`)));
    chmodSync(file, 0o755);
  }
  const version = execFileSync(fileOf(folder, 'ltm'), ['version'], { encoding: 'utf8', shell: isWindows }).trim();
  console.log(`${fileOf(folder, 'ltm')} starts ${version} of this clone.`);
  const found = path.map((one) => fileOf(one, 'ltm')).find((file) => existsSync(file) && !isInNodeModules(file));
  if (found === undefined) console.log(`It is not on your PATH yet: export PATH="${folder}:$PATH"`);
  else if (resolve(found) !== fileOf(folder, 'ltm')) console.log(`But ${found} comes first on your PATH.`);
  else console.log('Next: ltm setup');
  return 0;
}

function unlink() {
  const folders = options.to === undefined ? candidates() : [resolve(options.to)];
  const files = folders.flatMap((folder) => NAMES.map((name) => fileOf(folder, name))).filter(isOurs);
  for (const file of files) {
    rmSync(file);
    console.log(`Removed ${file}`);
  }
  if (files.length === 0) console.log('There is nothing to remove.');
  return 0;
}

function candidates() {
  const prefix = process.env.npm_config_global_prefix;
  const npm = prefix === undefined ? [] : [isWindows ? prefix : join(prefix, 'bin')];
  return isWindows ? npm : [join(homedir(), '.local', 'bin'), join(homedir(), 'bin'), ...npm];
}

function chooseFolder() {
  const known = candidates();
  return known.find((folder) => path.includes(folder) && canWrite(folder)) ?? known[0];
}

function fileOf(folder, name) {
  return join(folder, isWindows ? `${name}.cmd` : name);
}

function launcher(script) {
  const own = join(ROOT, 'node_modules', '.bin', 'node');
  if (isWindows) return `@rem ${MARK}\r\n@"${process.execPath}" "${script}" %*\r\n`;
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  return `#!/bin/sh\n# ${MARK}\nexec ${quote(existsSync(own) ? own : process.execPath)} ${quote(script)} "$@"\n`;
}

/** npm puts the clone's own folder of programs first while it runs this. */
function isInNodeModules(file) {
  return file.split(/[\\/]/).includes('node_modules');
}

function isThere(file) {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isOurs(file) {
  return isThere(file) && lstatSync(file).isFile() && readFileSync(file, 'utf8').includes(MARK);
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
