import { EngineError } from '../model/errors.ts';

/** Groups of tools that go together; each bears the names of the system it stands in for. */
export const TOOL_FAMILIES = ['core', 'networked', 'packets', 'service'] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

const ALL = 'all';

/** Ends the sentence "… must be". */
export const FAMILIES_ALLOWED = `a comma-separated list of ${TOOL_FAMILIES.join(', ')}, or ${ALL}`;

/** In the order of the table above, whatever the order asked for, so that the same choice always gives the same list. */
export function readFamilies(text: string): readonly ToolFamily[] {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  for (const name of names) if (name !== ALL && !isFamily(name)) throw unknownFamily(name);
  if (names.length === 0)
    throw new EngineError('invalid_input', 'No tool family is named.', {
      hint: knownFamilies(),
      details: { field: 'tools' },
    });
  return names.includes(ALL) ? TOOL_FAMILIES : TOOL_FAMILIES.filter((family) => names.includes(family));
}

function isFamily(name: string): name is ToolFamily {
  return TOOL_FAMILIES.some((family) => family === name);
}

function unknownFamily(name: string): EngineError {
  const shown = name.slice(0, 40);
  return new EngineError('invalid_input', `There is no tool family "${shown}".`, {
    hint: knownFamilies(),
    details: { field: 'tools', value: shown },
  });
}

function knownFamilies(): string {
  return `Choose from ${TOOL_FAMILIES.join(', ')}, or ${ALL}.`;
}
