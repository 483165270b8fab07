import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Feature } from '../../src/features/feature.ts';

/** The files that follow from what the features declare, by their paths. */
export async function computeNames(tree: string): Promise<Record<string, string>> {
  const load = (path: string) => import(pathToFileURL(join(tree, path)).href);
  const features: readonly Feature[] = (await load('src/features/features.ts')).FEATURES;
  const systems: readonly Feature[] = (await load('src/compat/systems.ts')).SYSTEMS;
  const { OWN_COMMANDS } = await load('src/cli/own-commands.ts');
  const verbs: Record<string, string> = {};
  const commands: Record<string, string> = {};
  for (const { name } of OWN_COMMANDS) commands[name] = 'cli';
  for (const feature of features)
    for (const verb of Object.keys((await feature.verbs?.()) ?? {})) verbs[verb] = feature.name;
  const homes = [
    ...features.map((one) => [one.name, one] as const),
    ...systems.map((one) => [`compat/${one.name}`, one] as const),
  ];
  for (const [home, one] of homes) for (const { name } of (await one.commands?.()) ?? []) commands[name] = home;
  const having = (file: string) =>
    features.map(({ name }) => name).filter((name) => existsSync(join(tree, 'src/features', name, file)));
  const withVerbs = having('verbs.ts');
  const withCommands = having('commands.ts');
  const withAnswers = having('answers.ts');
  const withSettings = having('settings.ts');
  const withWords = systems.filter(({ settings }) => settings !== undefined).map(({ name }) => name);
  const serving = systems.filter(({ commands: some }) => some !== undefined).map(({ name }) => name);
  const early = (field: 'instant' | 'answering' | 'outgoing') =>
    features.flatMap((one) => {
      const loads = field === 'instant' ? Object.entries(one.instant ?? {}) : Object.entries({ '': one[field] });
      return loads.flatMap(([key, load]) =>
        load === undefined ? [] : `  ${key && `${key}: `}${from(load, one.name)},`,
      );
    });
  return {
    'src/features/early.ts': lines(
      "import type { AnswerHook, CheckOutgoing, InstantCommand } from './host.ts';",
      "import type { Late } from './late.ts';",
      '',
      '/** Commands that an agent waits for: they are found here without any declaration, which would take longer to load than they run. */',
      'export const INSTANT: Readonly<Record<string, Late<InstantCommand>>> = {',
      ...early('instant'),
      '};',
      '',
      '/** Asked one after the other by a hook that found no server. */',
      'export const ANSWERING: readonly Late<AnswerHook>[] = [',
      ...early('answering'),
      '];',
      '',
      '/** Asked of every message on its way to a server. */',
      'export const OUTGOING: readonly Late<CheckOutgoing>[] = [',
      ...early('outgoing'),
      '];',
    ),
    'src/features/names.ts': lines(
      '/** The feature that has a verb: whoever calls one loads no other. */',
      `export const VERB_HOMES = ${table(verbs)} as const;`,
      '',
      '/** The feature, system or door that has a command. */',
      `export const COMMAND_HOMES = ${table(commands)} as const;`,
    ),
    'src/features/verb-table.ts': lines(
      ...[...withVerbs.map((name) => `import { VERBS as ${name} } from './${name}/verbs.ts';`), SECTIONS].sort(byPath),
      '',
      '/** Everything that the product can be told to do, in the order in which it is documented. */',
      'export const VERBS = inSections({',
      ...withVerbs.map((name) => `  ...${name},`),
      '});',
    ),
    'src/features/answers.ts': lines(
      "import type { Answers } from '../rest/answer-fields.ts';",
      ...[...withAnswers].sort().map((name) => `import { ANSWERS as ${name} } from './${name}/answers.ts';`),
      '',
      '/** What each verb answers over REST, by its name, and the components of the document. */',
      'export const ANSWERS: Answers = {',
      ...withAnswers.map((name) => `  ...${name},`),
      '};',
    ),
    'src/compat/settings.ts': lines(
      "import type { SettingPart } from '../settings/settings.ts';",
      ...[...withWords].sort().map((name) => `import { settings as ${name} } from './${name}/settings.ts';`),
      '',
      '/** What the systems say of settings. */',
      `export const SYSTEM_SETTINGS: readonly SettingPart[] = [${withWords.join(', ')}];`,
    ),
    'src/features/settings.ts': lines(
      "import { SYSTEM_SETTINGS } from '../compat/settings.ts';",
      "import { joinSettings, type SettingPart } from '../settings/settings.ts';",
      ...[...withSettings.map((name) => `import { settings as ${name} } from './${name}/settings.ts';`), DOORS].sort(
        byPath,
      ),
      '',
      '/** What systems, doors and features say of settings; those after the same setting are listed in this order. */',
      'export const SETTING_PARTS: readonly SettingPart[] = [',
      ...['doors', '...SYSTEM_SETTINGS', ...withSettings].map((name) => `  ${name},`),
      '];',
      '',
      '/** All that the program can be told. */',
      'export const DECLARED_SETTINGS = joinSettings(SETTING_PARTS);',
    ),
    'src/features/command-table.ts': lines(
      "import type { Command } from '../cli/command.ts';",
      "import { completeLine } from '../cli/complete-line.ts';",
      "import { OWN_COMMANDS } from '../cli/own-commands.ts';",
      "import { SYSTEM_COMMANDS } from '../compat/command-table.ts';",
      ...[...withCommands].sort().map((name) => `import { COMMANDS as ${name} } from './${name}/commands.ts';`),
      '',
      '/** Everything `ltm` can be told to do. */',
      'export const COMMANDS: readonly Command[] = [',
      '  ...OWN_COMMANDS,',
      ...withCommands.map((name) => `  ...${name},`),
      '  ...SYSTEM_COMMANDS,',
      '].map(completeLine);',
    ),
    'src/compat/command-table.ts': lines(
      "import type { CommandLine } from '../cli/command.ts';",
      ...serving.map((name) => `import { COMMANDS as ${name} } from './${name}/commands.ts';`),
      '',
      '/** The commands of the systems whose words the program understands. */',
      `export const SYSTEM_COMMANDS: readonly CommandLine[] = [${serving.map((name) => `...${name}`).join(', ')}];`,
    ),
  };
}

const DOORS = "import { settings as doors } from './door-settings.ts';";
const SECTIONS = "import { inSections } from './sections.ts';";

/** The function that loads, as its declaration has it, with the path as it is seen from the table. */
function from(load: () => unknown, feature: string): string {
  return String(load).replaceAll(/\s+/g, ' ').replace("import('./", `import('./${feature}/`);
}

function byPath(a: string, b: string): number {
  const pathOf = (line: string) => line.split(' from ')[1]!;
  return pathOf(a) < pathOf(b) ? -1 : 1;
}

function table(entries: Record<string, string>): string {
  return `{\n${Object.entries(entries)
    .map(([name, home]) => `  ${name}: '${home}',`)
    .join('\n')}\n}`;
}

function lines(...all: string[]): string {
  return [
    '// Made by scripts/precompute-features.ts from what the features declare; a test compares.',
    ...all,
    '',
  ].join('\n');
}
