import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { consentPage } from './consent-page.ts';
import { deviceCodePage } from './device-page.ts';
import { html } from './html.ts';
import { messagePage } from './message-page.ts';
import { formTarget, pageHeaders, renderPage } from './page-layout.ts';
import { signInPage } from './sign-in-page.ts';

const EVIL = `"><script>alert('x')</script>&`;
const common = { csrf: EVIL, problem: EVIL, formTargets: [] };
const pages = [
  signInPage({ ...common, clientName: EVIL, login: EVIL, hasPasswords: true }),
  signInPage({ ...common, clientName: EVIL, login: EVIL, hasPasswords: false }),
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
];

it('shows whatever it is given as text', () => {
  for (const page of pages) {
    const markup = renderPage(page);
    assert.doesNotMatch(markup, /<script|<\/script/i);
    assert.doesNotMatch(markup.replace(/<style>.*<\/style>/s, ''), /alert\('x'\)/);
    assert.match(markup, /&lt;script&gt;/);
  }
  assert.equal(html`${'<'}${html`<b>${'>'}</b>`}${null}${[html`<i>`]}`.markup, '&lt;<b>&gt;</b><i>');
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
  const markup = pages[2]!.body.markup;
  assert.match(markup, /value="write" checked/);
  assert.match(markup, /value="admin">/);
});
