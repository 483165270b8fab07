// Before anything is installed: does package-lock.json say of every package what its content must be? Runs on any Node.
// node scripts/check-lockfile.js [FOLDER]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REGISTRY = 'https://registry.npmjs.org/';
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

const folder = process.argv[2] ?? dirname(import.meta.dirname);
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const faults = findFaults(read('package-lock.json'), read('package.json'));
for (const fault of faults) console.error(fault);
if (faults.length > 0)
  console.error('Make the file anew, from a registry that has every package: npm install --package-lock-only');
process.exitCode = faults.length === 0 ? 0 : 1;

/** One sentence each; empty where all is well. */
function findFaults(lock, { allowScripts = {} }) {
  const faults = lock.lockfileVersion === 3 ? [] : [`The lockfile has version ${lock.lockfileVersion}, not 3.`];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || isFolderOfOurs(path, entry)) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!SHA512.test(entry.integrity ?? '')) faults.push(`${path} has no integrity of the form sha512-….`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY))
      faults.push(`${path} comes from ${entry.resolved}, not from ${REGISTRY}.`);
    if (entry.hasInstallScript === true && !Object.hasOwn(allowScripts, name))
      faults.push(`${path} has an install script that allowScripts in package.json neither allows nor forbids.`);
  }
  // npm leaves them out where a registry does not have them, and another platform then has no binary
  for (const [path, entry] of Object.entries(lock.packages))
    for (const optional of Object.keys(entry.optionalDependencies ?? {}))
      if (!isThere(lock.packages, path, optional)) faults.push(`${path} needs ${optional}, which is missing.`);
  return faults;
}

/** A package that stands in the project itself, or the link to it: it is under version control with the rest. */
function isFolderOfOurs(path, { link, resolved }) {
  const folder = link === true ? resolved : path;
  return folder.startsWith('scripts/') && !folder.includes('node_modules/') && !folder.split('/').includes('..');
}

/** Beside it or in a folder above, where Node would look for it. */
function isThere(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (Object.hasOwn(packages, `${folder === '' ? '' : `${folder}/`}node_modules/${name}`)) return true;
    if (folder === '') return false;
  }
}
