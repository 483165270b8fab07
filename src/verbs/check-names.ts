import { refuseUnknown } from '../model/refuse-unknown.ts';
import { toEngineName } from '../model/wire.ts';
import type { ClientOf } from './client.ts';
import type { Fields } from './field.ts';
import { type AnyVerb, fieldsOf, type VerbTable } from './verb.ts';

/** The same client for programs that nobody has compiled: what a verb does not know is an error, near and far alike. */
export function withCheckedNames<Table extends VerbTable>(table: Table, client: ClientOf<Table>): ClientOf<Table> {
  const entries = Object.keys(table).map((name) => {
    const call = client[name] as (input: object) => Promise<unknown>;
    const checked = async (input: object = {}): Promise<unknown> => {
      checkInput(name, table[name]!, input);
      return call(input);
    };
    return [name, checked];
  });
  return Object.fromEntries(entries) as ClientOf<Table>;
}

function checkInput(name: string, verb: AnyVerb, input: object): void {
  const fields = fieldsOf(verb);
  refuseUnknown(input, { known: [...namesOf(fields), ...(verb.handed ?? [])], what: `field of ${name}` });
  for (const [field, { type, fields: inner }] of Object.entries(fields)) {
    if (type !== 'items' || inner === undefined) continue;
    const items: unknown = (input as Readonly<Record<string, unknown>>)[toEngineName(field)];
    if (!Array.isArray(items)) continue;
    const what = `field of ${toEngineName(field)} in ${name}`;
    for (const item of items) refuseUnknown(item, { known: namesOf(inner), what });
  }
}

function namesOf(fields: Fields): string[] {
  return Object.keys(fields).map(toEngineName);
}
