import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import type { EngineError } from '../model/errors.ts';
import { escapeHiddenInJson } from '../model/hidden-characters.ts';
import type { Opened } from './access.ts';
import { toEngineError } from './error-result.ts';
import { RESOURCE_TYPE, type Resources } from './resource.ts';

export async function readResource(
  uri: string,
  resources: Pick<Resources, 'find'>,
  open: () => Promise<Opened>,
  log: Log,
): Promise<ReadResourceResult> {
  const read = resources.find(uri);
  if (read === null) throw new ResourceNotFoundError(uri);
  try {
    const opened = await open();
    authorize(opened.caller, 'read', opened.caller.space);
    const value = await read(opened, { caller: opened.caller, now: Date.now() });
    return { contents: [{ uri, mimeType: RESOURCE_TYPE, text: escapeHiddenInJson(JSON.stringify(value)) }] };
  } catch (error) {
    throw toProtocolError(toEngineError(error, log), uri);
  }
}

export function toProtocolError(error: EngineError, uri: string): ProtocolError {
  if (error.code === 'not_found') return new ResourceNotFoundError(uri);
  const code = error.code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `${error.code}: ${error.message}`, { code: error.code, hint: error.hint ?? null });
}
