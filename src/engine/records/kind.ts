import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Passage } from '../../model/passage.ts';
import type { RecordContent, RecordKind, StoredRecord } from '../../model/record.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { PieceScrubbing, ScrubbedPieces } from '../pieces/clean-pieces.ts';

/** A piece of a record that search finds, under the name it has in the record; '' for what the record as a whole is about. */
export interface NamedPassage {
  part: string;
  text: string;
}

/** One thing that a record says, in a line of its own: something to do next, a rule, a decision, what is open or failed, or anything else. */
export interface Note {
  about: 'next' | 'rule' | 'decided' | 'open' | 'failed' | 'other';
  text: string;
  /** It says little without its day. */
  isDated?: boolean;
}

/** All that sets one kind of record apart. Search, exchange, upkeep and events ask here and know no kind by name. */
export interface Kind {
  /** Its changes are told as `<name>_stored`, `<name>_updated` … */
  readonly name: RecordKind;
  readonly plural: string;
  /** What segments of the index keep in place of the name: 0 to 254, and never given to another kind. */
  readonly code: number;
  /** Where it has rules of its own: verbs on records refuse, its own verbs do it. */
  readonly ownVerbs?: readonly OwnVerb[];
  /** In the order of their ordinals. */
  listPassages(content: RecordContent): readonly NamedPassage[];
  /** With all that follows from the rest of it made anew: the hash, and what it repeats of its body (content, title …). */
  derive(content: RecordContent): RecordContent;
  /** How its tags are kept; absent: as they were written. Secrets are looked for before, since folding would hide them. */
  foldTags?(tags: readonly string[]): string[];
  /** Why its body is not sound. What can be derived is not looked at. */
  findFaults?(record: RecordContent & { id: RecordId }): Promise<string[]> | string[];
  /** Its body once somebody has brought it in with a file: what it says of whose it is, and of who may see it, is theirs to say now. */
  adopt?(content: RecordContent, userId: string): JsonObject;
  /** What a hit shows beside what all hits show, under the kind's name. */
  describeHit?(record: StoredRecord, part: string): JsonObject;
  /** There are so many of them that they would drown the others: searches, listings and counts that name no kind leave them out. */
  readonly isFoundByNameOnly?: true;
  /** People and agents write it to remember it: the health of a space counts these, and those that a job composed of others go with them for good. */
  readonly isMemory?: true;
  /** What it states as a whole: a text that people may reject, and that is not stored again then. */
  claim?(content: RecordContent): string;
  /** The product keeps it for itself: a purge by source or session leaves it, and no count of what people have stored counts it. */
  readonly isKeptApart?: true;
  /** For how many days records of it are kept; 0, or nothing said: until somebody deletes them. */
  keptDays?(settings: EngineSettings): number;
  /** Its records have a number besides their id: per space, given with the commit, in their body. Both or none. */
  numberOf?(content: RecordContent): number;
  renumber?(content: RecordContent, number: number): RecordContent;
  /** What it has to say where there is room for single lines; absent: its content is one. */
  listNotes?(record: StoredRecord): readonly Note[];
  /** Records that repeat some of its words, being composed of it and others. */
  madeInto?(record: StoredRecord): readonly RecordId[];
  /** Records that are parts of it, and are purged with it. */
  holds?(record: StoredRecord): readonly RecordId[];
  /** Its records are parts of records of this kind: who searches that kind finds them too; labels, timelines and events leave them out. */
  readonly partOf?: RecordKind;
  /** Pieces of transcripts that it holds, by name: they are kept as long as it is. */
  chunksOf?(record: RecordContent): readonly string[];
  /** Takes secrets out of the pieces it holds; null: they have none. */
  scrubPieces?(record: StoredRecord, work: PieceScrubbing): Promise<ScrubbedPieces | null>;
  /** Where its body says of places in its content what stands there: both with secrets replaced. */
  redactContent?(content: RecordContent, redact: (text: string) => string): Pick<RecordContent, 'content' | 'body'>;
  /** It belongs to this database alone, and is not exchanged with other replicas: it is numbered here, or has a way of its own to travel. */
  readonly staysHere?: true;
  /** What must have no secrets: by the strict rules it is refused with them. Absent: secrets are replaced. */
  screened?(content: RecordContent): object;
}

export type OwnVerb = 'store' | 'update' | 'delete' | 'restore';

export interface KindTable {
  readonly names: readonly RecordKind[];
  /** Those that are meant where none is named, and the others. */
  readonly usual: readonly RecordKind[];
  readonly unusual: readonly RecordKind[];
  /** Those whose records are parts of others. */
  readonly parts: readonly RecordKind[];
  /** What a search for these kinds looks at: they and their parts. */
  withParts(names: readonly RecordKind[]): readonly RecordKind[];
  /** Undefined for a kind that only a newer version knows. */
  find(name: RecordKind): Kind | undefined;
  /** Throws invalid_input for a kind that does not exist. */
  need(name: RecordKind): Kind;
  /** The same for the kinds that a filter names. */
  check(names: readonly RecordKind[] | undefined): void;
  codeOf(name: RecordKind): number;
}

/** Of a kind that is not in the table: no filter asks for it. */
const UNKNOWN_KIND = 255;

export function makeKindTable(kinds: readonly Kind[]): KindTable {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const codes = new Set(kinds.map(({ code }) => code));
  if (byName.size < kinds.length || codes.size < kinds.length || codes.has(UNKNOWN_KIND))
    throw new Error('Two kinds of records share a name or a code.');
  const names = [...byName.keys()];
  const need = (name: RecordKind): Kind => {
    const kind = byName.get(name);
    if (kind !== undefined) return kind;
    throw new EngineError('invalid_input', `There is no kind of record named "${name}".`, {
      hint: `The kinds are ${names.join(', ')}.`,
      details: { field: 'kind' },
    });
  };
  return {
    names,
    usual: names.filter((name) => byName.get(name)?.isFoundByNameOnly !== true),
    unusual: names.filter((name) => byName.get(name)?.isFoundByNameOnly === true),
    parts: kinds.flatMap(({ name, partOf }) => (partOf === undefined ? [] : [name])),
    withParts: (wanted) => [
      ...new Set([
        ...wanted,
        ...kinds.flatMap(({ name, partOf }) => (partOf !== undefined && wanted.includes(partOf) ? [name] : [])),
      ]),
    ],
    find: (name) => byName.get(name),
    need,
    check: (wanted) => wanted?.forEach(need),
    codeOf: (name) => byName.get(name)?.code ?? UNKNOWN_KIND,
  };
}

export function passagesOf(kind: Kind, content: RecordContent): Passage[] {
  return kind.listPassages(content).map(({ text }, ordinal) => ({ ordinal, text }));
}

export async function findFaults(kind: Kind, record: RecordContent & { id: RecordId }): Promise<string[]> {
  const faults = (await kind.findFaults?.(record)) ?? [];
  if (faults.length > 0 || kind.derive(record).contentHash === record.contentHash) return faults;
  return ['the content does not match its hash'];
}

/** How a message calls records of this kind, or of any. */
export function wordsFor(kinds: KindTable, name: RecordKind | undefined): Pick<Kind, 'name' | 'plural'> {
  return name === undefined ? { name: 'record', plural: 'records' } : kinds.need(name);
}

/** The kind, where verbs on records may do this to it. */
export function needShared(kinds: KindTable, name: RecordKind, verb: OwnVerb): Kind {
  const kind = kinds.need(name);
  if (kind.ownVerbs?.includes(verb) !== true) return kind;
  throw new EngineError('invalid_input', `To ${verb} ${kind.plural}, use the verb that is made for them.`, {
    details: { field: 'kind' },
  });
}
