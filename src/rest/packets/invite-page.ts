import { escapeHtml, page } from './page.ts';

interface InviteFacts {
  team: string;
  expires: string;
  /** The page's own address. */
  url: string;
  problem?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
}

export function invitePage({ team, expires, url, problem, name = '', email = '' }: InviteFacts): Response {
  const body = `<main>
<header><p>Invitation</p><h1>Join the team “${escapeHtml(team)}”</h1></header>
<p>You will read what the team has saved, and what you save for the team, the team will read. Your own packets and memories stay yours.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<h2>With the ltm program</h2>
<p>If you have an account on this server, sign in and join with it; if not, this makes one:</p>
<pre><code>ltm join ${escapeHtml(url)}</code></pre>
<h2>Here</h2>
<form method="post">
<label>Your name <small>as the others of the team see it</small><input name="name" required maxlength="100" autocomplete="name" value="${escapeHtml(name)}"></label>
<label>Email <small>optional; with a password, what you sign in with</small><input name="email" type="email" maxlength="254" autocomplete="email" value="${escapeHtml(email)}"></label>
<label>Password <small>optional; for programs that open a browser to connect</small><input name="password" type="password" autocomplete="new-password"></label>
<button>Join</button>
</form>
<footer><p>Good for one person, until ${escapeHtml(expires)}.</p></footer>
</main>`;
  return page({ title: `Join ${team}`, body, hasForm: true, ...(problem !== undefined && { status: 400 }) });
}

interface JoinedFacts {
  team: string;
  name: string;
  token: string;
  url: string;
  hasPassword: boolean;
}

export function joinedPage({ team, name, token, url, hasPassword }: JoinedFacts): Response {
  const [shownUrl, shownToken] = [escapeHtml(url), escapeHtml(token)];
  const body = `<main>
<header><p>Welcome, ${escapeHtml(name)}</p><h1>You are in the team “${escapeHtml(team)}”</h1></header>
<p>This is your token. It is shown once: keep it where you keep passwords.</p>
<pre><code class="secret">${shownToken}</code></pre>
<h2>Use it from a terminal</h2>
<pre><code>ltm auth ${shownUrl} ${shownToken}
ltm ls --team ${escapeHtml(team)}</code></pre>
<h2>Connect an agent</h2>
<pre><code>claude mcp add --transport http ltm ${shownUrl}/mcp --header "Authorization: Bearer ${shownToken}"</code></pre>
<p>${hasPassword ? 'Programs that open a browser, such as claude.ai and editors, need no token' : 'Programs that open a browser, such as claude.ai and editors, ask for this token'}: give them the address <code>${shownUrl}/mcp</code>${hasPassword ? ' and sign in with your email and password' : ''}.</p>
</main>`;
  return page({ title: `Welcome to ${team}`, body, status: 201 });
}

export function gonePage(): Response {
  const body = `<main>
<header><p>Invitation</p><h1>This invitation cannot be used</h1></header>
<p>It was used already, is past its time, or never was. Ask whoever sent it for a new one: each is good for one person.</p>
</main>`;
  return page({ title: 'Invitation', body, status: 410 });
}
