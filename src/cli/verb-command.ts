import { toEngineName, toWire } from '../model/wire.ts';
import type { Field } from '../verbs/field.ts';
import { type AnyVerb, type CommandOffer, fieldsOf, writesOf } from '../verbs/verb.ts';
import type { Command, CommandContext, Flag } from './command.ts';
import type { Arguments } from './read-arguments.ts';
import { readMetadata } from './read-content.ts';

/** What stands for a value in the help. */
const VALUES: Readonly<Record<Field['type'], string | undefined>> = {
  text: 'TEXT',
  label: 'NAME',
  time: 'TIME',
  names: 'NAME,…',
  tags: 'TAG,…',
  refs: 'REF,…',
  integer: 'N',
  number: '0…1',
  choice: 'WHAT',
  choices: 'WHAT,…',
  instant: 'TIME',
  json: 'KEY=VALUE',
  flag: undefined,
  any: 'JSON',
  items: 'JSON',
};
const MANY: readonly Field['type'][] = ['names', 'tags', 'refs', 'choices', 'json'];

/** The command that a verb offers. What it does with the outcome is loaded when it is called. */
export function commandOf(verb: AnyVerb, load: Command['load']): Command {
  const { flags: _, own: __, words: ___, ...offer } = offerOf(verb);
  return {
    maxWords: Number.POSITIVE_INFINITY,
    ...offer,
    reads: !writesOf(verb),
    load,
    // A dozen commands are looked through for the one that is called.
    get flags() {
      return flagsOf(verb);
    },
  };
}

export function flagsOf(verb: AnyVerb): Flag[] {
  const { own = [] } = offerOf(verb);
  return [...offeredBy(verb).map(toFlag), ...own];
}

type FlagVerb = Pick<AnyVerb, 'input' | 'inHeaders' | 'command'>;

/** A flag, and the field of the verb's input that it fills. */
interface Offered {
  flag: string;
  short: string | undefined;
  /** As the engine calls the field. */
  name: string;
  field: Field;
}

const known = new WeakMap<FlagVerb, readonly Offered[]>();

/** They are made once for a verb: they are asked for when the command is found and when its input is read. */
function offeredBy(verb: FlagVerb): readonly Offered[] {
  const made = known.get(verb);
  if (made !== undefined) return made;
  const fields = fieldsOf(verb);
  const offered: Offered[] = [];
  for (const entry of verb.command?.flags ?? []) {
    const [name, short] = typeof entry === 'string' ? [entry] : entry;
    const inEngine = toEngineName(name!);
    // `conversation_id` is --conversation, as the engine calls it.
    const flag = inEngine.replaceAll(/[A-Z]/g, '-$&').toLowerCase();
    offered.push({ flag, short, name: inEngine, field: fields[name!]! });
  }
  known.set(verb, offered);
  return offered;
}

function toFlag({ flag, short, field: { type, about = '', choices } }: Offered): Flag {
  const value = choices?.join('|') ?? VALUES[type];
  return {
    name: flag,
    short,
    value,
    many: MANY.includes(type) || undefined,
    choices,
    description: type === 'json' ? `${about} KEY=VALUE, or a whole JSON object.`.trim() : about,
  };
}

/** What the flags say, as the input of the verb. */
export function readFlags<In>(verb: FlagVerb, args: Arguments): Partial<In> {
  const input: Record<string, unknown> = {};
  for (const { flag, name, field } of offeredBy(verb)) {
    if (args.values[flag] === undefined) continue;
    const value = readFlag(flag, field, args);
    if (value !== undefined) input[name] = value;
  }
  return input as Partial<In>;
}

function readFlag(flag: string, { type, min, max }: Field, args: Arguments): unknown {
  if (type === 'json') return readMetadata(args);
  if (MANY.includes(type)) return args.list(flag);
  if (type === 'flag') return args.isOn(flag) || undefined;
  if (type === 'integer' || type === 'number')
    return args.number(flag, { min: min ?? Number.MIN_SAFE_INTEGER, max: max ?? Number.MAX_SAFE_INTEGER });
  return args.text(flag);
}

/** For a verb without a picture of its own: it prints JSON. */
export async function runPlain(
  [name, verb]: readonly [string, AnyVerb],
  { args, terminal, client }: CommandContext,
): Promise<void> {
  const input = readFlags<Record<string, unknown>>(verb, args);
  const { words } = offerOf(verb);
  if (words !== undefined && args.words.length > 0)
    input[toEngineName(words)] = verb.input[words]?.type === 'refs' ? args.words : args.words.join(' ');
  const verbs = await client();
  const run: (given: never) => Promise<unknown> = verbs[name as keyof typeof verbs];
  terminal.printJson(toWire((await run(input as never)) as object) ?? {});
}

function offerOf({ command }: AnyVerb): CommandOffer {
  if (command === undefined) throw new Error('a verb that is no command');
  return command;
}

/** The same for verbs that filter: `--all-tags` stands for tag_match. */
export function readFilterFlags<In>(verb: FlagVerb, args: Arguments): Partial<In> {
  const input = readFlags<In>(verb, args);
  return args.isOn('all-tags') ? { ...input, tagMatch: 'all' } : input;
}
