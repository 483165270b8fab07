import { type Html, html } from './html.ts';
import type { Page } from './page-layout.ts';

export interface SignInView {
  clientName: string;
  /** What was typed before. */
  login: string;
  /** Proves that the form is ours. */
  csrf: string;
  /** What was wrong with the last attempt. */
  problem: string | null;
  /** False on a fresh server: there is only the token then. */
  hasPasswords: boolean;
  /** The operator has set a key, which is as good as a token of the owner's. */
  hasKey: boolean;
  formTargets: readonly string[];
}

export function signInPage({ clientName, login, csrf, problem, hasPasswords, hasKey, formTargets }: SignInView): Page {
  const token = tokenForm(csrf, hasKey);
  const name = hasKey ? 'access token or the API key' : 'access token';
  const body = html`<h1>Sign in</h1>
<p class="soft">to connect <strong>${clientName}</strong> to your memory.</p>
${problem === null ? null : html`<p class="note bad" role="alert">${problem}</p>`}
${
  hasPasswords
    ? html`<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<label for="login">Name or email</label>
<input type="text" id="login" name="login" value="${login}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required>
<p class="act"><button class="yes" name="action" value="password">Sign in</button></p>
</form>
<details><summary>Use an ${name} instead</summary>${token}</details>`
    : html`<p class="note">Nobody on this server has a password yet. On the machine it runs on, <code>ltm token --show</code> prints your token, and <code>ltm users passwd owner</code> sets a password.${hasKey ? ' The key that the server was started with (MCP_API_KEY) works too.' : null}</p>${token}`
}`;
  return { title: 'Sign in', body, look: 'card', formTargets };
}

function tokenForm(csrf: string, hasKey: boolean): Html {
  const name = hasKey ? 'Access token or API key' : 'Access token';
  return html`<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<label for="token">${name}</label>
<input type="password" id="token" name="token" autocomplete="off" spellcheck="false" placeholder="${hasKey ? '' : 'ltmk…'}" required>
<p class="act"><button class="yes" name="action" value="token">Sign in with the ${hasKey ? 'token or key' : 'token'}</button></p>
</form>`;
}
