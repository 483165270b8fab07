// node scripts/precompute-rules.ts: writes the index of the rules about secrets, src/privacy/precomputed-rules.ts. A test tells when it is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const privacy = join(import.meta.dirname, '..', 'src', 'privacy');
const file = join(privacy, 'precomputed-rules.ts');

/** Nothing of the old index is used to make the new one. */
writeFileSync(file, "export const GROUP_SIZES: readonly number[] = [];\nexport const RULE_INDEX = '{}';\n");
const { listRules, measureGroups } = await import('../src/privacy/find-secrets.ts');
const { writeIndex } = await import('../src/privacy/rule-index.ts');
const index = writeIndex(listRules()).replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('$', '\\x24');
writeFileSync(
  file,
  `// Written by scripts/precompute-rules.ts.
/** How many rules each group has. */
export const GROUP_SIZES: readonly number[] = [${measureGroups().join(', ')}];
/** Where which rule is asked, as rule-index.ts reads it. */
export const RULE_INDEX =
  '${index}';
`,
);
