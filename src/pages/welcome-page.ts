import { html } from './html.ts';
import type { Page } from './page-layout.ts';

/** What a person sees who opens the server's address: what runs here, and how to use it. Anybody may see it, so it says nothing of what is stored. */
export function welcomePage({ url, docs, version }: { url: string; docs: string; version: string }): Page {
  const body = html`<h1>ltm is running here</h1>
<p>Long-term memory for AI agents. Agents connect over MCP, scripts over REST, people with the <code>ltm</code> command. All of them need a token, except programs that open a browser to sign in.</p>
<h2>Connect an agent</h2>
<pre><code>claude mcp add -t http -s user ltm ${url}/mcp -H "Authorization: Bearer TOKEN"</code></pre>
<p>For other agents, give the address <code>${url}/mcp</code> and the header <code>Authorization: Bearer TOKEN</code>. On the server’s machine, <code>ltm token</code> tells where the owner’s token is kept; other people get theirs from the owner.</p>
<h2>Use it from a terminal</h2>
<pre><code>ltm auth ${url}
ltm search "which port is staging on"</code></pre>
<h2>Read on</h2>
<ul>
<li><a href="${docs}">The REST API</a><p>Every route, with examples.</p></li>
<li><a href="/health">Health</a><p>Whether the server and its database answer.</p></li>
</ul>
<footer>ltm ${version}</footer>`;
  return { title: 'Welcome', body, look: 'article' };
}

export function nowherePage(): Page {
  const body = html`<h1>There is nothing at this address</h1>
<p class="soft">The address may be mistyped, or what was here was taken back.</p>
<p class="act"><a href="/">What runs here</a></p>`;
  return { title: 'Not found', body, look: 'card' };
}
