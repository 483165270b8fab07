import { parseArgs } from 'node:util';
import { nearestName } from '../model/nearest-name.ts';
import type { Command, Flag } from './command.ts';
import { UsageError } from './report-error.ts';

/** What stood after the command's name, checked against its flags. */
export interface Arguments {
  words: readonly string[];
  /** By name, as given: a text, a list for flags that may repeat, true for switches. */
  values: Readonly<Record<string, string | string[] | true>>;
  isOn(name: string): boolean;
  text(name: string): string | undefined;
  /** Comma-separated values and repetitions, joined. */
  list(name: string): string[] | undefined;
  number(name: string, range: { min: number; max: number }): number | undefined;
}

/** The first word that is not a flag or a flag's value, and everything else in its order. */
export function splitCommand(
  argv: readonly string[],
  globalFlags: readonly Flag[],
): { name: string | undefined; rest: string[] } {
  const takesValue = new Set(globalFlags.filter((flag) => flag.value !== undefined).map((flag) => `--${flag.name}`));
  let at = 0;
  while (at < argv.length && argv[at]!.startsWith('-') && argv[at] !== '-') at += takesValue.has(argv[at]!) ? 2 : 1;
  return { name: argv[at], rest: argv.toSpliced(at, 1) };
}

export function readArguments(
  argv: readonly string[],
  command: Pick<Command, 'name' | 'maxWords'>,
  flags: readonly Flag[],
): Arguments {
  const options = Object.fromEntries(flags.map((flag) => [flag.name, parserOption(flag)]));
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values: Record<string, string | string[] | true> = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind === 'option') addValue(values, findFlag(token.name, token.rawName, flags, command), token);
  }
  const most = command.maxWords ?? Number.POSITIVE_INFINITY;
  if (words.length > most)
    throw new UsageError(
      `\`ltm ${command.name}\` got an unexpected argument: "${words[most]}".`,
      `Try \`ltm help ${command.name}\`.`,
    );
  return createArguments(words, values);
}

function parserOption(flag: Flag): { type: 'string' | 'boolean'; multiple: boolean; short?: string } {
  const option = {
    type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
    multiple: flag.many === true,
  };
  return flag.short === undefined ? option : { ...option, short: flag.short };
}

function findFlag(name: string, rawName: string, flags: readonly Flag[], command: Pick<Command, 'name'>): Flag {
  const found = flags.find((flag) => flag.name === name);
  if (found !== undefined) return found;
  const names = flags.map((flag) => flag.name);
  const nearest = nearestName(name, names);
  const advice = nearest === null ? `\`ltm help ${command.name}\` lists them.` : `Did you mean --${nearest}?`;
  throw new UsageError(`\`ltm ${command.name}\` has no flag ${rawName}.`, advice);
}

function addValue(
  values: Record<string, string | string[] | true>,
  flag: Flag,
  token: { value?: string | undefined; rawName: string; inlineValue?: boolean | undefined },
): void {
  const { value, rawName } = token;
  if (flag.value === undefined) {
    if (value !== undefined && flag.inline === undefined) throw new UsageError(`${rawName} does not take a value.`);
    values[flag.name] = value ?? true;
    return;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}.`);
  if (token.inlineValue !== true && value.startsWith('-') && value.length > 1) {
    throw new UsageError(
      `${rawName} needs a value, but "${value}" follows.`,
      `If that is the value, write ${rawName}=${value}.`,
    );
  }
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const nearest = nearestName(value, flag.choices);
    throw new UsageError(
      `${rawName} is "${value}", but must be one of ${flag.choices.join(', ')}.`,
      nearest === null ? undefined : `Did you mean ${nearest}?`,
    );
  }
  const earlier = values[flag.name];
  if (flag.many === true) values[flag.name] = [...(Array.isArray(earlier) ? earlier : []), value];
  else if (earlier !== undefined) throw new UsageError(`${rawName} is given twice.`);
  else values[flag.name] = value;
}

function createArguments(words: readonly string[], values: Arguments['values']): Arguments {
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    words,
    values,
    isOn: (name) => values[name] === true,
    text,
    list(name) {
      const value = values[name];
      if (value === undefined || value === true) return undefined;
      return [value].flat().flatMap((one) =>
        one
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      );
    },
    number(name, { min, max }) {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = Number(given);
      if (given.trim() === '' || !(number >= min && number <= max))
        throw new UsageError(`--${name} is "${given}", but must be a number from ${min} to ${max}.`);
      return number;
    },
  };
}
