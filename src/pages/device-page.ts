import { html } from './html.ts';
import type { Page } from './page-layout.ts';

export interface DeviceCodeView {
  /** Proves that the form is ours. */
  csrf: string;
  /** Already filled in, where the address brought it along. */
  code: string;
  problem: string | null;
}

export function deviceCodePage({ csrf, code, problem }: DeviceCodeView): Page {
  const field = html`<input class="code" type="text" id="code" name="user_code" value="${code}" maxlength="12" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" required autofocus>`;
  const body = html`<h1>Connect a device</h1>
<p class="soft">${code === '' ? 'Type the code that the device shows.' : 'Does the device show this code? If you did not start this yourself, close the page.'}</p>
${problem === null ? null : html`<p class="note bad" role="alert">${problem}</p>`}
<form method="post" action="/oauth/device">
<input type="hidden" name="xsrf" value="${csrf}">
<input type="hidden" name="confirm" value="yes">
<label for="code">Code</label>
${field}
<p class="act"><button class="yes">Continue</button></p>
</form>`;
  return { title: 'Connect a device', body, look: 'card', formTargets: [] };
}
