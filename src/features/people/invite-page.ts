import { html } from '../../pages/html.ts';
import { messagePage } from '../../pages/message-page.ts';
import type { Page } from '../../pages/page-layout.ts';

interface InviteFacts {
  team: string;
  expires: string;
  /** The page's own address. */
  url: string;
  problem?: string;
  name?: string;
  email?: string;
}

export function invitePage({ team, expires, url, problem, name, email }: InviteFacts): Page {
  const body = html`<h1>Join the team “${team}”</h1>
<p>You will read what the team has saved, and what you save for the team, the team will read. Your own packets and memories stay yours.</p>
${problem === undefined ? null : html`<p class="note bad" role="alert">${problem}</p>`}
<h2>With the ltm program</h2>
<p>If you have an account on this server, sign in and join with it; if not, this makes one:</p>
<pre><code>ltm join ${url}</code></pre>
<h2>Here</h2>
<form method="post">
<label for="name">Your name <small>as the other members see it</small></label>
<input type="text" id="name" name="name" required maxlength="100" autocomplete="name" value="${name}">
<label for="email">Email <small>optional; with a password, what you sign in with</small></label>
<input type="email" id="email" name="email" maxlength="254" autocomplete="email" value="${email}">
<label for="password">Password <small>optional; for programs that open a browser to connect</small></label>
<input type="password" id="password" name="password" autocomplete="new-password">
<p class="act"><button class="yes">Join</button></p>
</form>
<footer>Good for one person, until ${expires}.</footer>`;
  return { title: `Join ${team}`, body, look: 'article', formTargets: [] };
}

interface JoinedFacts {
  team: string;
  name: string;
  token: string;
  url: string;
  hasPassword: boolean;
}

export function joinedPage({ team, name, token, url, hasPassword }: JoinedFacts): Page {
  const body = html`<p class="soft">Welcome, ${name}</p>
<h1>You are in the team “${team}”</h1>
<p>This is your token. It is shown once: keep it where you keep passwords.</p>
<pre><code class="secret">${token}</code></pre>
<h2>Use it from a terminal</h2>
<pre><code>ltm auth ${url} ${token}
ltm ls --team ${team}</code></pre>
<h2>Connect an agent</h2>
<pre><code>claude mcp add --transport http ltm ${url}/mcp --header "Authorization: Bearer ${token}"</code></pre>
<p>Programs that open a browser, such as claude.ai and editors, ${hasPassword ? 'need no token' : 'ask for this token'}: give them the address <code>${url}/mcp</code>${hasPassword ? ' and sign in with your email and password' : ''}.</p>`;
  return { title: `Welcome to ${team}`, body, look: 'article' };
}

export function gonePage(): Page {
  return messagePage(
    'This invitation cannot be used',
    'It was used already, is past its time, or never was. Ask whoever sent it for a new one: each is good for one person.',
  );
}
