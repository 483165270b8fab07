import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { EngineError } from '../model/errors.ts';
import { type ReadConversations, readConversations } from './read-conversations.ts';

/** Compressed or not: the first two bytes say it, whatever the file is called. */
export async function readEvaluationFile(path: string): Promise<ReadConversations> {
  const bytes = await readBytes(path);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return readConversations((isCompressed ? await unpack(bytes, path) : bytes).toString('utf8'), basename(path));
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new EngineError('not_found', `There is no file ${path}.`, { cause, details: { file: path } });
    if (code === 'EISDIR')
      throw new EngineError('invalid_input', `${path} is a folder.`, { cause, details: { file: path } });
    throw new EngineError('invalid_input', `${path} cannot be read: ${code ?? String(cause)}.`, {
      cause,
      details: { file: path },
    });
  }
}

async function unpack(bytes: Buffer, path: string): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new EngineError('invalid_input', `${path} looks compressed, but cannot be unpacked.`, {
      cause,
      details: { file: path },
    });
  }
}
