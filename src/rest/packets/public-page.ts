import { showPacketTime } from '../../engine/packets/read-packet-time.ts';
import { renderResume } from '../../engine/packets/render-resume.ts';
import type { Packet, PacketAttempt, PacketDecision } from '../../model/packet.ts';
import type { StoredPacket } from '../../model/packet-record.ts';
import { escapeHtml, page, proseHtml } from './page.ts';

/** A published packet for people: what it is about and what comes next at once, the rest below. */
export function publicPage({ packet }: StoredPacket): Response {
  const { goal, next_step, project, tags = [], decisions = [], attempts = [] } = packet;
  const body = `<main>
<header><p>${project?.name ? escapeHtml([project.name, project.ref].filter(Boolean).join(' · ')) : 'Core Memory Packet'}</p>
<h1>${proseHtml(goal)}</h1></header>
${tags.length === 0 ? '' : `<p class="tags">${tags.map((tag) => `<span>${escapeHtml(tag)}</span>`).join('')}</p>`}
<div class="first"><b>Next step</b>${proseHtml(next_step)}</div>
${section('Done when', packet.success_criteria, proseHtml)}
${section('Decisions', decisions, describeDecision)}
${section('Attempts', attempts, describeAttempt)}
${section('Constraints', packet.constraints, proseHtml)}
${section('Methods', packet.methods, ({ name, when_applicable, how }) => `<code>${escapeHtml(name)}</code> ${proseHtml(when_applicable)}<p>${proseHtml(how)}</p>`)}
${section('Open questions', packet.open_questions, proseHtml)}
<details><summary>As the next session reads it</summary><pre>${escapeHtml(renderResume(packet))}</pre></details>
<footer>${describeOrigin(packet)}<p><a href="?format=json">JSON</a> · <a href="?format=md">Markdown</a></p></footer>
</main>`;
  return page({ title: shorten(goal), body });
}

export function missingPage(): Response {
  const body =
    '<main><header><p>ltm</p><h1>There is nothing here</h1></header><p>The packet was taken back by its author, or never was at this address.</p></main>';
  return page({ title: 'Not found', body, status: 404 });
}

function section<T>(title: string, items: readonly T[] | undefined, describe: (item: T) => string): string {
  if (items === undefined || items.length === 0) return '';
  return `<h2>${title}</h2>\n<ul>${items.map((item) => `<li>${describe(item)}</li>`).join('\n')}</ul>`;
}

function describeDecision({ what, why, consequences, locked }: PacketDecision): string {
  const mark = locked === true ? '<span class="mark locked">locked</span>' : '';
  return `${mark}${proseHtml(what)}<p>${proseHtml(why)}</p>${consequences ? `<p>If revisited: ${proseHtml(consequences)}</p>` : ''}`;
}

function describeAttempt({ tried, outcome, learned }: PacketAttempt): string {
  return `<span class="mark ${outcome}">${outcome}</span>${proseHtml(tried)}${learned ? `<p>${proseHtml(learned)}</p>` : ''}`;
}

function describeOrigin({ id, ltm_version, created_at, provenance }: Packet): string {
  const author = [provenance?.author_human, provenance?.author_model && `with ${provenance.author_model}`]
    .filter(Boolean)
    .join(' ');
  const lines = [
    `Packet ${id} (v${ltm_version})`,
    `Created ${showPacketTime(created_at)}`,
    ...(author === '' ? [] : [`By ${author}`]),
  ];
  return lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length <= 70 ? characters.join('') : `${characters.slice(0, 69).join('')}…`;
}
