import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../model/json-rpc.ts';
import { isObject, parseJson } from '../model/json-text.ts';
import { describeIssue } from './read-arguments.ts';

/** The same server, whose refusals of parameters are `-32602` and a sentence: the SDK sends what its schemas found as JSON, mostly as an internal error. */
export function answerInWords(server: Server): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(inWords(message), options);
    return connect(transport);
  };
  return server;
}

const CODES: readonly number[] = [INTERNAL_ERROR, INVALID_PARAMS];
/** Alone, or after a few words of the SDK. */
const ISSUES = /^(?:[^[\n]*: )?(\[\s*\{.*\}\s*\])$/s;

function inWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || !CODES.includes(message.error.code)) return message;
  const issues = parseJson(ISSUES.exec(message.error.message)?.[1] ?? '');
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined;
  if (!isIssue(first)) return message;
  return { ...message, error: { code: INVALID_PARAMS, message: `Invalid params: ${describe(first)}.` } };
}

function isIssue(value: unknown): value is z.core.$ZodIssue {
  return isObject(value) && typeof value.code === 'string' && Array.isArray(value.path);
}

function describe(issue: z.core.$ZodIssue): string {
  const { field, demand } = describeIssue(issue);
  const below = field.replace(/^params(?:\.|$)/, '');
  return below === '' ? 'they must be an object' : `${below} ${demand}`;
}
