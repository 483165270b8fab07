import { z } from 'zod';
import { DOORS } from '../model/caller.ts';
import { TRUST_TIERS } from '../model/record.ts';

const { strictObject: fields, array: list } = z;

/** What each verb answers over REST, by the verb's name. A schema under a name with a capital is a component of that name, which answers refer to. */
export type Answers = Readonly<Record<string, z.ZodType>>;

export const instant = z.iso.datetime();
export const text = z.string();
export const texts = list(text);
export const count = z.number().int();

/** Several fields that are counts. */
export function counts<Name extends string>(...names: Name[]): Record<Name, typeof count> {
  return Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>;
}

export const trust = z.enum(TRUST_TIERS);
const way = { door: z.enum(DOORS), user_id: text, client: text.optional(), host: text.optional() };
export const source = fields({
  ...way,
  unredacted: z.literal(true).optional(),
  at: instant.optional().describe('If it was imported: when. Its own times are then what the file says.'),
  claimed: fields({ ...way, trust, created_at: instant })
    .optional()
    .describe('If it was imported: the origin that the file claims.'),
});

export const redactions = list(
  fields({
    field: text,
    kind: text.describe('What it looks like: `aws-key`, `password` and so on.'),
    line: count.describe('Of the text as it was sent.'),
    replaced: z.boolean(),
  }),
).describe('Secrets that were found, and whether they were replaced: the first 200 of them.');
