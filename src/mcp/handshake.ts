import { type Fields, isRequest, type Message } from '../model/json-rpc.ts';
import { isObject } from '../model/json-text.ts';
import { PRECOMPUTED } from './precomputed.ts';

const CLAIM = 'io.modelcontextprotocol/protocolVersion';
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const MODERN = '2026-07-28';

/** `result` is JSON text; a message that needs no answer has none. */
export type Reply = { result: string } | { result: null };

export interface ClientName {
  name: string;
  version: string;
}

export interface Handshake {
  /** The answer the SDK would give, or null for anything that is not plainly one of the opening messages: those are left to the SDK. */
  reply(message: Message): Reply | null;
  /** What a client of the 2025 era that has shaken hands here calls itself; null: there is none. */
  client(): ClientName | null;
  /** What the SDK must be told so that it is where the client believes it to be. */
  replay(): Message[];
}

interface HandshakeOptions {
  /** Methods whose fixed answer does not hold here. */
  unknown?: readonly string[];
  /** In place of the usual ones. */
  instructions?: string;
}

/** Both eras of the protocol, for as long as nothing needs the engine. */
export function createHandshake({ unknown = [], instructions }: HandshakeOptions = {}): Handshake {
  let era: 'open' | 'legacy' | 'modern' = 'open';
  let client: ClientName | null = null;
  const answered = new Map<string, Message>();

  function remember(message: Message): void {
    if (!answered.has(message.method!)) answered.set(message.method!, message);
  }

  function replyLegacy(message: Message): Reply | null {
    const { method, params } = message;
    if (method === 'initialize') {
      if (era !== 'open' || !isInitialize(params)) return null;
      era = 'legacy';
      client = params.clientInfo;
      remember(message);
      const { protocolVersion } = params;
      const usual = JSON.parse(PRECOMPUTED.initialize) as Fields & { instructions: string };
      return {
        result: JSON.stringify({ ...usual, instructions: instructions ?? usual.instructions, protocolVersion }),
      };
    }
    if (era !== 'legacy' || !hasOnlyMeta(params)) return null;
    if (method === 'ping') return { result: '{}' };
    const result = look(PRECOMPUTED.legacy, method!);
    return result === null ? null : { result };
  }

  function replyModern(message: Message): Reply | null {
    if (era === 'legacy' || !isEnvelope(message.params?._meta) || !hasOnlyMeta(message.params)) return null;
    const result = look(PRECOMPUTED.modern, message.method!);
    if (result === null) return null;
    if (message.method !== 'server/discover') era = 'modern';
    remember(message);
    return { result };
  }

  function hear(message: Message): Reply | null {
    if (message.method === 'notifications/cancelled' && era !== 'open') return { result: null };
    if (message.method !== 'notifications/initialized' || era !== 'legacy') return null;
    remember(message);
    return { result: null };
  }

  return {
    reply: (message) => {
      if (message.method === undefined || unknown.includes(message.method)) return null;
      if (!isRequest(message)) return message.id === undefined ? hear(message) : null;
      const meta = message.params?._meta;
      return isObject(meta) && CLAIM in meta ? replyModern(message) : replyLegacy(message);
    },
    client: () => client,
    replay: () => [...answered.values()],
  };
}

/** A method may be named like something every object has. */
function look(answers: Readonly<Record<string, string>>, method: string): string | null {
  return Object.hasOwn(answers, method) ? answers[method]! : null;
}

function isInitialize(
  params: Fields | undefined,
): params is Fields & { protocolVersion: string; clientInfo: ClientName } {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  if (typeof protocolVersion !== 'string' || !PRECOMPUTED.legacyVersions.includes(protocolVersion)) return false;
  return isObject(capabilities) && isClient(clientInfo);
}

function isEnvelope(meta: unknown): boolean {
  if (!isObject(meta) || meta[CLAIM] !== MODERN || !isObject(meta[CAPABILITIES])) return false;
  return (meta[CLIENT] === undefined || isClient(meta[CLIENT])) && meta[LOG_LEVEL] === undefined;
}

function isClient(value: unknown): value is ClientName & Fields {
  return isObject(value) && typeof value.name === 'string' && typeof value.version === 'string';
}

/** A cursor or anything else asks for more than the fixed answer. */
function hasOnlyMeta(params: Fields | undefined): boolean {
  return params === undefined || Object.keys(params).every((key) => key === '_meta' && isObject(params._meta));
}
