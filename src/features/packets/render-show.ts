import type { Packet } from './packet.ts';
import { showPacketTime } from './read-packet-time.ts';
import { type PacketOrigin, packetText, quoteLines } from './render-resume.ts';

export interface ShowOptions extends Partial<PacketOrigin> {
  publishedAt?: string | undefined;
  publicUrl?: string | undefined;
}

const LABEL_WIDTH = 11;

/** A packet at a glance, for a terminal. */
export function renderShow(packet: Packet, { publishedAt, publicUrl, source = '', trust }: ShowOptions = {}): string {
  const { project, tags = [], constraints = [], decisions = [], attempts = [], open_questions = [] } = packet;
  const isForeign = trust === 'untrusted';
  const published = [publishedAt, publicUrl].filter(Boolean).join('  ');
  const labels: [string, string][] = [
    ['ID', packet.id],
    ['Created', showPacketTime(packet.created_at)],
    ['Spec', `v${packet.ltm_version}`],
    ['Published', published],
    ['Project', [project?.name, project?.ref && `(${project.ref})`].filter(Boolean).join(' ')],
    ['Tags', tags.join(', ')],
    ['Source', isForeign ? source : ''],
    ['Trust', isForeign ? trust : ''],
  ];
  const parts = [
    labels
      .filter(([, text]) => text !== '')
      .map(([label, text]) => label.padEnd(LABEL_WIDTH) + packetText(text, '  '))
      .join('\n'),
    section('Goal', [`  ${packetText(packet.goal, '  ')}`]),
    section('Constraints', constraints.map(bullet)),
    section(
      'Decisions',
      decisions.map(
        ({ what, why, locked }) => `${bullet(locked === true ? `${what} [locked]` : what)}${below('why', why)}`,
      ),
    ),
    section(
      'Attempts',
      attempts.map(({ tried, outcome, learned }) => `${bullet(`[${outcome}] ${tried}`)}${below('learned', learned)}`),
    ),
    section('Open questions', open_questions.map(bullet)),
    section('Next step', [`  ${packetText(packet.next_step, '  ')}`]),
  ];
  const text = parts.filter((part) => part !== null).join('\n\n');
  return `${isForeign ? quoteLines(text) : text}\n`;
}

function section(title: string, lines: readonly string[]): string | null {
  return lines.length === 0 ? null : [title, ...lines].join('\n');
}

function bullet(text: string): string {
  return `  - ${packetText(text, '    ')}`;
}

function below(label: string, text: string | undefined): string {
  return text ? `\n    ${label}: ${packetText(text, '      ')}` : '';
}
