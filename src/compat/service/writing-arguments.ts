import type { Memory } from '../../features/memories/memory.ts';
import { readArguments } from '../../mcp/read-arguments.ts';
import type { ToolContext } from '../../mcp/tool.ts';
import { isInstant, toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { hashContent } from '../../model/record.ts';
import { splitTags } from '../../model/tags.ts';
import { describeWritten, unlessEmpty } from '../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../verbs/describe-origin.ts';
import { type Fields, flag, label } from '../../verbs/field.ts';
import { pickFields } from '../../verbs/field-schema.ts';
import { addTo, inOurNames, projectToStoreIn, type ServiceArguments } from './service-arguments.ts';

export const storing: ServiceArguments = {
  fields: {
    memory_type: label(),
    agent_id: label(),
    session_id: label(),
    client_hostname: label(),
    restore_deleted: flag(),
    store: label(),
  },
  async run(tool, context, { store, restore_deleted, ...args }) {
    const project = projectToStoreIn(store);
    const restored = restore_deleted === true ? await restoreSameText(context, String(args.content)) : null;
    if (restored !== null) return { structured: describeRestored(restored, context) };
    return tool.run(context, readMetadata(inOurNames(project === undefined ? args : { project, ...args })));
  },
};

/** Tags and type may stand in the metadata. */
function readMetadata(args: Record<string, unknown>): Record<string, unknown> {
  const { tags: moreTags, type: otherType, ...metadata } = (args.metadata ?? {}) as JsonObject;
  const tags = [...((args.tags ?? []) as string[]), ...splitTags(isTagsInput(moreTags) ? moreTags : null)];
  return {
    ...args,
    type: args.type ?? (typeof otherType === 'string' && otherType !== '' ? otherType : undefined),
    tags: unlessEmpty(tags),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  };
}

export function isTagsInput(value: JsonObject[string] | undefined): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

async function restoreSameText({ engine, caller }: ToolContext, content: string): Promise<Memory | null> {
  const hash = hashContent(content);
  const { memories } = await engine.getMemories(caller, { refs: [hash] });
  if (memories.length > 0) return null;
  const { restored } = await engine.restoreMemories(caller, [hash]);
  return restored[0] ?? null;
}

function describeRestored(memory: Memory, reader: ToolContext): Record<string, unknown> {
  const message = `The same text had been deleted; memory ${memory.id} is restored.`;
  return {
    message,
    outcome: 'restored',
    ...describeWritten(memory, reader),
    notices: unlessEmpty(noticesOfTrust([memory])),
  };
}

export const updating: ServiceArguments = {
  fields: { memory_type: label(), updates: { type: 'json' } },
  async run(tool, context, { updates, ...args }) {
    const { changes, warnings } = readUpdates((updates ?? {}) as JsonObject, tool.fields);
    return addTo('warnings', await tool.run(context, inOurNames({ ...args, ...changes })), warnings);
  },
};

/** Kept by the server; an agent may send them along with the rest. */
const PROTECTED: ReadonlySet<string> = new Set([
  'content_hash',
  'embedding',
  'updated_at',
  'updated_at_iso',
  'created_at_iso',
  'hash',
  'id',
]);
const CHANGEABLE: ReadonlySet<string> = new Set([
  'tags',
  'type',
  'metadata',
  'content',
  'reason',
  'project',
  'created_at',
]);

/** The `updates` object: fields of a memory, and any other key becomes metadata. */
export function readUpdates(
  updates: JsonObject,
  ours: Fields,
): { changes: Record<string, unknown>; warnings: string[] } {
  const known: Fields = { ...pickFields(ours, (name) => CHANGEABLE.has(name)), memory_type: label() };
  const fields: JsonObject = {};
  const others: JsonObject = {};
  const skipped: string[] = [];
  for (const [name, value] of Object.entries(updates)) {
    if (PROTECTED.has(name)) skipped.push(name);
    else if (Object.hasOwn(known, name)) fields[name] = name === 'created_at' ? readEpoch(value) : value;
    else others[name] = value;
  }
  const changes = readArguments(known, fields);
  if (Object.keys(others).length > 0) changes.metadata = { ...others, ...(changes.metadata as JsonObject | undefined) };
  const warnings =
    skipped.length === 0 ? [] : [`These are kept by the server and were not changed: ${skipped.join(', ')}.`];
  return { changes, warnings };
}

/** Seconds since 1970, as the service writes times. */
function readEpoch(value: JsonObject[string]): JsonObject[string] {
  if (typeof value !== 'number') return value ?? null;
  const instant = Math.round(value * 1000);
  return isInstant(instant) ? toIso(instant) : String(value);
}
