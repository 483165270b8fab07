import type { Packet } from '../../model/packet.ts';

/**
 * The one byte form of a packet: two blanks of indent, no newline at the end, keys in a fixed order, empty optional strings and lists and `locked: false` left out,
 * `<`, `>`, `&` and the two line separators as \u escapes. Two servers that store the same packet give out the same bytes.
 */
export function canonicalPacket(packet: Packet): string {
  return JSON.stringify(orderPacket(packet), null, 2).replace(/[<>&\u2028\u2029]/g, escapeCharacter);
}

/** The same packet with its keys in canonical order and without what is empty. */
export function orderPacket(packet: Packet): Packet {
  const { decisions, methods, attempts, project, provenance } = packet;
  return dropEmpty({
    ltm_version: packet.ltm_version,
    id: packet.id,
    parent_id: packet.parent_id,
    created_at: packet.created_at,
    project: project && dropEmpty({ name: project.name, ref: project.ref }),
    goal: packet.goal,
    success_criteria: packet.success_criteria,
    constraints: packet.constraints,
    decisions: decisions?.map(({ what, why, consequences, locked }) => ({
      what,
      why,
      ...dropEmpty({ consequences, locked }),
    })),
    methods: methods?.map(({ name, when_applicable, how }) => ({ name, when_applicable, how })),
    attempts: attempts?.map(({ tried, outcome, learned, confidence }) => ({
      tried,
      outcome,
      ...dropEmpty({ learned, confidence }),
    })),
    open_questions: packet.open_questions,
    next_step: packet.next_step,
    tags: packet.tags,
    provenance:
      provenance &&
      dropEmpty({
        author_model: provenance.author_model,
        author_human: provenance.author_human,
        source_hash: provenance.source_hash,
        confidence: provenance.confidence,
      }),
  }) as Packet;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function dropEmpty<T extends object>(fields: T): Partial<Present<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<Present<T>>;
}

/** An empty object stays: it says that the field was there. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
