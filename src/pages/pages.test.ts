import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { EXAMPLE_PACKET } from '../features/packets/example-packet.ts';
import { packetPage } from '../features/packets/packet-page.ts';
import { invitePage, joinedPage } from '../features/people/invite-page.ts';
import { consentPage } from './consent-page.ts';
import { deviceCodePage } from './device-page.ts';
import { html, prose } from './html.ts';
import { messagePage } from './message-page.ts';
import { formTarget, pageHeaders, renderPage } from './page-layout.ts';
import { signInPage } from './sign-in-page.ts';
import { welcomePage } from './welcome-page.ts';

const EVIL = `"><script>alert('x')</script>&`;
const common = { csrf: EVIL, problem: EVIL, formTargets: [] };
const pages = [
  signInPage({ ...common, clientName: EVIL, login: EVIL, hasPasswords: true, hasKey: false }),
  signInPage({ ...common, clientName: EVIL, login: EVIL, hasPasswords: false, hasKey: true }),
  consentPage({
    ...common,
    client: { name: EVIL, host: EVIL },
    redirectHost: EVIL,
    device: null,
    userName: EVIL,
    scopes: ['read', 'write', 'admin'],
    teams: [{ id: EVIL, name: EVIL }],
    onlyTeam: null,
  }),
  consentPage({
    ...common,
    client: { name: EVIL, host: null },
    redirectHost: null,
    device: { userAgent: EVIL, address: EVIL },
    userName: EVIL,
    scopes: ['read'],
    teams: [],
    onlyTeam: null,
  }),
  deviceCodePage({ csrf: EVIL, code: EVIL, problem: EVIL }),
  messagePage(EVIL, EVIL, EVIL),
  invitePage({ team: EVIL, expires: EVIL, url: EVIL, problem: EVIL, name: EVIL, email: EVIL }),
  joinedPage({ team: EVIL, name: EVIL, token: EVIL, url: EVIL, hasPassword: true }),
  welcomePage({ url: EVIL, docs: EVIL, version: EVIL }),
  packetPage({ ...EXAMPLE_PACKET, goal: EVIL, next_step: EVIL, tags: [EVIL], constraints: [EVIL, `a \`${EVIL}\` b`] }),
];

it('shows whatever it is given as text', () => {
  for (const page of pages) {
    const markup = renderPage(page);
    assert.doesNotMatch(markup, /<script|<\/script/i);
    assert.doesNotMatch(markup.replace(/<style>.*<\/style>/s, ''), /alert\('x'\)/);
    assert.match(markup, /&lt;script&gt;/);
  }
  assert.equal(html`${'<'}${html`<b>${'>'}</b>`}${null}${[html`<i>`]}`.toString(), '&lt;<b>&gt;</b><i>');
});

it('leaves nothing in a text that hides or turns it, and shows code as code', () => {
  assert.equal(html`${'a\u202eb\u{e0041}c\r\nd'}`.toString(), 'abc\nd');
  assert.equal(prose('run `npm <test>` & go').toString(), 'run <code>npm &lt;test&gt;</code> &amp; go');
});

it('lets a page without a form send none', () => {
  assert.match(pageHeaders({})['Content-Security-Policy']!, /form-action 'none'/);
  assert.match(
    pageHeaders({ formTargets: ['https://a.example'] })['Content-Security-Policy']!,
    /form-action 'self' https:\/\/a\.example/,
  );
});

it('names its one style to the browser', () => {
  const style = /<style>(.*)<\/style>/s.exec(renderPage(pages[0]!))![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(pageHeaders({})['Content-Security-Policy']!.includes(`style-src 'sha256-${hash}'`));
});

it('allows forms to lead to the program that waits, and no further than it must', () => {
  assert.deepEqual(formTarget('https://claude.ai/api/mcp/auth_callback?x=1'), ['https://claude.ai']);
  assert.deepEqual(formTarget('http://127.0.0.1:7777/cb'), ['http://127.0.0.1:7777', 'https:']);
  assert.deepEqual(formTarget('http://[::1]:7777/cb'), ['http:']);
  assert.deepEqual(formTarget('cursor://anysphere/x'), ['cursor:']);
});

it('leaves "administer" for the person to tick', () => {
  const markup = pages[2]!.body.toString();
  assert.match(markup, /value="write" checked/);
  assert.match(markup, /value="admin">/);
});
