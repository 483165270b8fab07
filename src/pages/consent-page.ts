import type { Scope } from '../model/caller.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page-layout.ts';

export interface ConsentView {
  client: { name: string; host: string | null };
  /** Where the answer goes; null: to a device. */
  redirectHost: string | null;
  device: { userAgent: string; address: string } | null;
  userName: string;
  /** What was asked for and this person can give. */
  scopes: readonly Scope[];
  /** The choices, if there is more than one. */
  teams: readonly { id: string; name: string }[];
  /** Set: this team's space is the only one that can be given. */
  onlyTeam: string | null;
  csrf: string;
  problem: string | null;
  formTargets: readonly string[];
}

const WORDS: Record<Scope, { can: string; more: string }> = {
  read: { can: 'Find and read memories', more: 'Everything you can read there' },
  write: { can: 'Store, change and delete memories', more: 'What it deletes can be restored for a while' },
  admin: { can: 'Administer', more: 'Import, repair, and purge memories for good. Most programs do not need this' },
};

export function consentPage(view: ConsentView): Page {
  const { client, userName, scopes, csrf, problem, formTargets } = view;
  const body = html`<h1>Let ${client.name} use your memory?</h1>
<p class="soft">${origin(view)}</p>
${problem === null ? null : html`<p class="note bad" role="alert">${problem}</p>`}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset><legend>It may</legend>${scopes.map(scopeChoice)}</fieldset>
<fieldset><legend>In</legend>${spaceChoices(view)}</fieldset>
<div class="pair"><button class="no" name="action" value="deny">Deny</button><button class="yes" name="action" value="allow">Allow</button></div>
</form>
<footer>Signed in as <strong>${userName}</strong>.
<form method="post"><input type="hidden" name="csrf" value="${csrf}"><button class="link" name="action" value="switch">Use another account</button></form><br>
It stays connected until you disconnect it, or it is not used for 30 days.</footer>`;
  return { title: 'Allow access', body, look: 'card', formTargets };
}

/** A registered program chooses its own name; the place that the answer goes to, it cannot make up. */
function origin({ client, redirectHost, device }: ConsentView): Html {
  if (device !== null) {
    const where = device.address === '' ? null : html` at <strong>${device.address}</strong>`;
    const what = device.userAgent === '' ? null : html` (${device.userAgent.slice(0, 80)})`;
    return html`It is waiting on a device${where}${what}. Allow this only if you have just started it yourself and it shows the code you entered.`;
  }
  const goes = html`You will be sent back to ${place(redirectHost ?? '')}.`;
  if (client.host !== null) return html`Its description is at <strong>${client.host}</strong>. ${goes}`;
  return html`The program chose this name itself. ${goes} Allow this only if you know it.`;
}

function place(host: string): Html {
  if (host.endsWith('://')) return html`the program on your computer that opens <strong>${host}</strong> addresses`;
  return /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host)
    ? html`a program on your computer, at <strong>${host}</strong>`
    : html`<strong>${host}</strong>`;
}

function scopeChoice(scope: Scope): Html {
  const { can, more } = WORDS[scope];
  const isChosen = scope === 'read' || scope === 'write';
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${isChosen ? html` checked` : ''}><span>${can}<small>${more}</small></span></label>`;
}

function spaceChoices({ teams, onlyTeam }: ConsentView): Html {
  const choice = (value: string, name: string, more: string, isChosen: boolean): Html =>
    html`<label class="choice"><input type="radio" name="space" value="${value}"${isChosen ? html` checked` : ''}><span>${name}<small>${more}</small></span></label>`;
  const ofTeam = ({ id, name }: { id: string; name: string }): Html =>
    choice(id, `The team ${name} only`, 'Nothing of your own', id === onlyTeam);
  if (onlyTeam !== null) return html`${teams.filter(({ id }) => id === onlyTeam).map(ofTeam)}`;
  const own = teams.length === 0 ? 'Everything in your space' : 'And those of your teams';
  return html`${choice('', 'Your own memories', own, true)}${teams.map(ofTeam)}`;
}
