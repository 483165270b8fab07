import type { Json } from '../model/json.ts';
import { isSecretUnderName } from './assignment-rules.ts';
import { replaceSecrets } from './replace-secrets.ts';

export interface ReplacedJson {
  value: Json;
  /** Where something was replaced, as JSON pointers, and what it was. */
  replaced: { pointer: string; kind: string }[];
}

/** The same for data that has been parsed: every string in it, names included; a string under a name such as `password` counts as assigned to it. */
export function replaceSecretsInJson(value: Json): ReplacedJson {
  const replaced: ReplacedJson['replaced'] = [];
  return { value: walk(value, { pointer: '', name: '', replaced }), replaced };
}

interface Place {
  pointer: string;
  /** Of the nearest object field above. */
  name: string;
  replaced: ReplacedJson['replaced'];
}

function walk(value: Json, place: Place): Json {
  if (typeof value === 'string') return replaceString(value, place);
  if (Array.isArray(value)) return value.map((item, i) => walk(item, { ...place, pointer: `${place.pointer}/${i}` }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const safeName = replaceString(name, { ...place, name: '' });
      const pointer = `${place.pointer}/${safeName.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [safeName, walk(item, { ...place, pointer, name })];
    }),
  );
}

function replaceString(text: string, { pointer, name, replaced }: Place): string {
  if (name !== '' && isSecretUnderName(name, text)) {
    replaced.push({ pointer, kind: 'password' });
    return '[redacted:password]';
  }
  const result = replaceSecrets(text);
  for (const { kind, mode } of result.findings) if (mode === 'redact') replaced.push({ pointer, kind });
  return result.text;
}
