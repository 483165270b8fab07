import type { Packet } from '../../model/packet.ts';
import type { NamedPassage } from '../records/kind.ts';
import { splitPassages } from '../records/split-passages.ts';

/** The pieces of a packet, each under the name it has there (`decisions[2]`); '' for what the packet as a whole is about. */
export function packetParts(packet: Packet): NamedPassage[] {
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

/** A part that is too long for one passage makes several. */
export function packetPassages(packet: Packet): NamedPassage[] {
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
