import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../../model/errors.ts';
import type { KeptKeyring } from '../../../model/sealed.ts';
import { writePrivateFile } from '../../../settings/private-file.ts';
import type { Environment } from '../../../settings/settings.ts';
import { clientFolder } from '../../../settings/user-folders.ts';

/** What this machine keeps of a sealed space: its own secret, and every list of keys that it has believed. */
export interface VaultFile {
  url: string;
  team: string | null;
  member: string;
  name: string;
  /** Base64. From it follow the key pairs of this machine, which open what is wrapped for it. */
  secret: string;
  keyrings: KeptKeyring[];
}

export interface KeyFolder {
  read(url: string, team: string | null): VaultFile | null;
  /** Readable by its owner alone. */
  write(file: VaultFile): void;
  remove(url: string, team: string | null): void;
}

export function openKeyFolder(env: Environment): KeyFolder {
  const pathOf = (url: string, team: string | null) =>
    join(
      clientFolder(env),
      'sealed',
      `${createHash('sha256')
        .update(`${url} ${team ?? ''}`)
        .digest('hex')
        .slice(0, 16)}.json`,
    );
  return {
    read(url, team) {
      const path = pathOf(url, team);
      let text: string;
      try {
        text = readFileSync(path, 'utf8');
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw new EngineError('unauthorized', `The file ${path} cannot be read.`, {
          cause,
          hint: 'Check its permissions.',
        });
      }
      try {
        return JSON.parse(text) as VaultFile;
      } catch (cause) {
        const hint = 'Move it away and join the space again with its recovery words.';
        throw new EngineError('unauthorized', `The file ${path} is damaged.`, { cause, hint });
      }
    },
    remove: (url, team) => rmSync(pathOf(url, team), { force: true }),
    write: (file) => writePrivateFile(pathOf(file.url, file.team), `${JSON.stringify(file, null, 2)}\n`),
  };
}
