import { ERROR_CODES, type ErrorCode } from '../model/errors.ts';
import { isObject, parseJson } from '../model/json-text.ts';

/** What a status means where the answer is no problem document of ours: a proxy's page, another program. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  413: 'too_large',
  429: 'rate_limited',
  502: 'busy',
  503: 'busy',
  504: 'busy',
};
const MAX_SHOWN = 2000;

export function codeOfStatus(status: number): ErrorCode {
  return CODES[status] ?? 'internal';
}

/** Why a server refused, in our codes, whatever answered. */
export async function readProblem(response: Response, host: string): Promise<Record<string, unknown>> {
  const { status } = response;
  if (status >= 300 && status < 400)
    return {
      code: 'invalid_input',
      detail: `${host} sends to ${response.headers.get('location') ?? 'another address'}.`,
      hint: `Your sign-in is for ${host} alone, so this was not followed. If the other address is right: ltm auth ADDRESS`,
    };
  const text = await response.text();
  const problem = parseProblem(text);
  const hint = status === 401 ? `Sign in again: ltm auth ${host}` : undefined;
  if (problem !== null) return { ...problem, ...(hint !== undefined && { hint }) };
  return {
    code: codeOfStatus(status),
    detail: `${host} answered with status ${status}: ${text.trim().slice(0, MAX_SHOWN)}`,
    hint: hint ?? `The answer came from ${host}.`,
  };
}

function parseProblem(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) && 'detail' in value && ERROR_CODES.some((code) => code === value.code) ? value : null;
}
