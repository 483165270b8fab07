import { quoteName } from './quote.ts';
import { withCareClient } from './with-care-client.ts';

/** True when the schema that the address names has been made by ltm. */
export async function holdsTables(url: string): Promise<boolean> {
  return withCareClient(url, async (client, schema) => {
    const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      `${quoteName(schema)}.ltm_schema`,
    ]);
    return rows[0]?.found === true;
  });
}
