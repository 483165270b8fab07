import type { Packet } from '../../model/packet.ts';
import type { Passage } from '../../model/passage.ts';
import { splitPassages } from '../memories/split-passages.ts';

/** A piece of a packet that search finds, under the name it has in the packet: `decisions[2]`. */
export interface PacketPart {
  /** '' for what the packet as a whole is about. */
  name: string;
  text: string;
}

export function packetParts(packet: Packet): PacketPart[] {
  const { decisions = [], attempts = [], methods = [] } = packet;
  const parts: PacketPart[] = [
    { name: '', text: describeWhole(packet) },
    ...decisions.map(({ what, why, consequences }, i) => ({
      name: `decisions[${i}]`,
      text: lines(`Decision: ${what}`, why, consequences),
    })),
    ...attempts.map(({ tried, outcome, learned }, i) => ({
      name: `attempts[${i}]`,
      text: lines(`Attempt (${outcome}): ${tried}`, learned),
    })),
    ...methods.map(({ name, when_applicable, how }, i) => ({
      name: `methods[${i}]`,
      text: lines(`Method ${name}: ${when_applicable}`, how),
    })),
  ];
  return parts.map(({ name, text }) => ({ name, text: text.replaceAll('\0', '\u{fffd}') }));
}

/** A part that is too long for one passage makes several. */
export function packetPassages(packet: Packet): (Passage & { part: string })[] {
  const cut = packetParts(packet).flatMap(({ name, text }) =>
    splitPassages(text).map((passage) => ({ part: name, text: passage.text })),
  );
  return cut.map(({ part, text }, ordinal) => ({ ordinal, text, part }));
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
