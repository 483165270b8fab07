import type { Kind, NamedPassage, Note } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanName } from '../../model/hidden-characters.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { lateFunctions } from '../../model/late.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import type { Packet } from './packet.ts';
import type { PacketSummary, StoredPacket } from './packet-record.ts';
import { showPacketTime } from './read-packet-time.ts';

const { parsePacket } = lateFunctions(() => import('./parse-packet.ts'), 'parsePacket');

export const packetKind: Kind = {
  name: 'packet',
  plural: 'packets',
  code: 1,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: (content) => packetPassages(readPacket(content).packet),
  derive: derivePacketContent,
  async findFaults({ id, body: { canonical, pushedBy } }) {
    if (typeof canonical === 'string' && typeof pushedBy === 'string') {
      const parsed = await parsePacket(canonical, { anySize: true });
      if (parsed.outcome === 'valid' && parsed.canonical === canonical && packetRecordId(parsed.packet.id) === id)
        return [];
    }
    return ['this is not a valid packet, or its id does not match the record'];
  },
  adopt: (content, userId) =>
    packetBody({ canonical: readPacket(content).canonical, pushedBy: userId, published: null }),
  describeHit: (record, part) => ({ id: readPacket(record).packet.id, part }),
  listNotes: (record) => packetNotes(readPacket(record).packet),
  screened: (content) => readPacket(content).packet,
};

const TITLE_CHARS = 80;

/** What the canonical text holds is repeated only where filters and search need it. */
function derivePacketContent(content: RecordContent): RecordContent {
  const { packet, canonical } = readPacket(content);
  const title = firstLine(packet.goal, TITLE_CHARS).replaceAll('\0', '\u{fffd}');
  return {
    ...content,
    title: title === '' ? 'packet' : title,
    content: packetParts(packet)
      .map(({ text }) => text)
      .join('\n\n'),
    contentHash: sha256Of(canonical),
    tags: packet.tags ?? [],
    project: projectLabel(packet.project?.name),
  };
}

export function packetBody({
  canonical,
  pushedBy,
  published,
}: Pick<StoredPacket, 'canonical' | 'pushedBy' | 'published'>): JsonObject {
  return { canonical, pushedBy, ...(published !== null && { published: { slug: published.slug, at: published.at } }) };
}

/** As a packet's project is filtered by. */
export function projectLabel(name: string | undefined): string | null {
  return cleanName(name?.replaceAll('\0', '\u{fffd}') ?? '') || null;
}

function readPacket({ body: { canonical } }: RecordContent): { packet: Packet; canonical: string } {
  if (typeof canonical !== 'string')
    throw new EngineError('storage_damaged', 'The stored text of a packet is missing.', { hint: 'Run `ltm doctor`.' });
  return { packet: JSON.parse(canonical) as Packet, canonical };
}

export function toStoredPacket(record: StoredRecord): StoredPacket {
  const { pushedBy, published } = record.body as Partial<StoredPacket>;
  return {
    space: record.space,
    recordId: record.id,
    ...readPacket(record),
    pushedBy: pushedBy ?? record.source.userId,
    receivedAt: record.updatedAt,
    published: published ?? null,
    source: record.source,
    trust: record.trust,
  };
}

export function summarisePacket(record: StoredRecord): PacketSummary {
  const { packet } = readPacket(record);
  return {
    id: packet.id,
    createdAt: showPacketTime(packet.created_at),
    goal: packet.goal,
    project: record.project,
    tags: record.tags,
    source: record.source,
    trust: record.trust,
  };
}

/** The pieces of a packet, each under the name it has there (`decisions[2]`); '' for what the packet as a whole is about. */
function packetParts(packet: Packet): NamedPassage[] {
  const { decisions = [], attempts = [], methods = [] } = packet;
  const parts: NamedPassage[] = [
    { part: '', text: describeWhole(packet) },
    ...decisions.map(({ what, why, consequences }, i) => ({
      part: `decisions[${i}]`,
      text: lines(`Decision: ${what}`, why, consequences),
    })),
    ...attempts.map(({ tried, outcome, learned }, i) => ({
      part: `attempts[${i}]`,
      text: lines(`Attempt (${outcome}): ${tried}`, learned),
    })),
    ...methods.map(({ name, when_applicable, how }, i) => ({
      part: `methods[${i}]`,
      text: lines(`Method ${name}: ${when_applicable}`, how),
    })),
  ];
  return parts.map(({ part, text }) => ({ part, text: text.replaceAll('\0', '\u{fffd}') }));
}

function packetNotes({ goal, next_step, decisions = [], attempts = [] }: Packet): Note[] {
  return [
    { about: 'other', text: `${goal} Next step: ${next_step}`, isDated: true },
    ...decisions.map(({ what, why }): Note => ({ about: 'decided', text: `${what} (${why})` })),
    ...attempts.map(({ tried, outcome }): Note => ({ about: 'failed', text: `${tried}: ${outcome}` })),
  ];
}

/** A part that is too long for one passage makes several. */
function packetPassages(packet: Packet): NamedPassage[] {
  return packetParts(packet).flatMap(({ part, text }) => splitPassages(text).map((piece) => ({ part, text: piece })));
}

function describeWhole(packet: Packet): string {
  const { goal, next_step, success_criteria = [], constraints = [], open_questions = [], project } = packet;
  return lines(
    goal,
    `Next step: ${next_step}`,
    ...success_criteria.map((criterion) => `Done when: ${criterion}`),
    ...constraints.map((constraint) => `Constraint: ${constraint}`),
    ...open_questions.map((question) => `Open question: ${question}`),
    project?.name && `Project: ${project.name}`,
  );
}

function lines(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** Made of the packet's own id, so that a space has each packet once: 100 bits of its SHA-256. */
export function packetRecordId(packetId: string): RecordId {
  return derivedRecordId(`packet\n${packetId}`);
}
