import { type Html, html, prose } from '../../pages/html.ts';
import { messagePage } from '../../pages/message-page.ts';
import type { Page } from '../../pages/page-layout.ts';
import type { Packet, PacketAttempt, PacketDecision } from './packet.ts';
import { showPacketTime } from './read-packet-time.ts';
import { renderResume } from './render-resume.ts';

/** A published packet for people: what it is about and what comes next at once, the rest below. */
export function packetPage(packet: Packet): Page {
  const { goal, next_step, project, tags = [] } = packet;
  const body = html`<p class="soft">${project?.name ? [project.name, project.ref].filter(Boolean).join(' · ') : 'Core Memory Packet'}</p>
<h1>${prose(goal)}</h1>
${tags.length === 0 ? null : html`<p class="tags">${tags.map((tag) => html`<span>${tag}</span>`)}</p>`}
<div class="first"><b>Next step</b>${prose(next_step)}</div>
${section('Done when', packet.success_criteria, prose)}
${section('Decisions', packet.decisions, describeDecision)}
${section('Attempts', packet.attempts, describeAttempt)}
${section('Constraints', packet.constraints, prose)}
${section('Methods', packet.methods, ({ name, when_applicable, how }) => html`<code>${name}</code> ${prose(when_applicable)}<p>${prose(how)}</p>`)}
${section('Open questions', packet.open_questions, prose)}
<details><summary>As the next session reads it</summary><pre>${renderResume(packet)}</pre></details>
<footer>${describeOrigin(packet)}<p><a href="?format=json">JSON</a> · <a href="?format=md">Markdown</a></p></footer>`;
  return { title: shorten(goal), body, look: 'article' };
}

export function missingPage(): Page {
  return messagePage('Not found', 'The packet was unpublished, or this link never existed.');
}

function section<T>(title: string, items: readonly T[] = [], describe: (item: T) => Html): Html | null {
  return items.length === 0
    ? null
    : html`<h2>${title}</h2>\n<ul>${items.map((item) => html`<li>${describe(item)}</li>\n`)}</ul>`;
}

function describeDecision({ what, why, consequences, locked }: PacketDecision): Html {
  const mark = locked === true ? html`<span class="mark locked">locked</span>` : null;
  return html`${mark}${prose(what)}<p>${prose(why)}</p>${consequences ? html`<p>If revisited: ${prose(consequences)}</p>` : null}`;
}

function describeAttempt({ tried, outcome, learned }: PacketAttempt): Html {
  return html`<span class="mark ${outcome}">${outcome}</span>${prose(tried)}${learned ? html`<p>${prose(learned)}</p>` : null}`;
}

function describeOrigin({ id, ltm_version, created_at, provenance }: Packet): Html[] {
  const author = [provenance?.author_human, provenance?.author_model && `with ${provenance.author_model}`]
    .filter(Boolean)
    .join(' ');
  const lines = [`Packet ${id} (v${ltm_version})`, `Created ${showPacketTime(created_at)}`, author && `By ${author}`];
  return lines.filter((line) => line !== '').map((line) => html`<p>${line}</p>`);
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length <= 70 ? characters.join('') : `${characters.slice(0, 69).join('')}…`;
}
