/** A browser without scripts: cookies, redirects within one site, forms. */
export interface TestPage {
  status: number;
  url: string;
  html: string;
  headers: Headers;
}

export interface TestBrowser {
  /** Cookies by name, as the server set them. */
  cookies: Map<string, { value: string; path: string; attributes: string }>;
  /** Follows redirects until a page comes, or until one leads away from the site: that one is answered as it is. */
  visit(url: string, init?: RequestInit): Promise<TestPage>;
  /** Presses a button of the page's form. */
  submit(
    page: TestPage,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<TestPage>;
}

export function openTestBrowser(site: string): TestBrowser {
  const cookies: TestBrowser['cookies'] = new Map();
  const browser: TestBrowser = {
    cookies,
    async visit(url, init = {}) {
      let [next, request] = [url, init];
      for (let hop = 0; hop < 10; hop++) {
        const { pathname } = new URL(next);
        const sent = [...cookies]
          .filter(([, cookie]) => pathname.startsWith(cookie.path))
          .map(([name, cookie]) => `${name}=${cookie.value}`);
        const response = await fetch(next, {
          ...request,
          redirect: 'manual',
          headers: { accept: 'text/html', cookie: sent.join('; '), ...request.headers },
        });
        for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
        const location = response.headers.get('location');
        if (location === null)
          return { status: response.status, url: next, html: await response.text(), headers: response.headers };
        await response.body?.cancel();
        next = new URL(location, next).href;
        if (new URL(next).origin !== new URL(site).origin)
          return { status: response.status, url: next, html: '', headers: response.headers };
        request = {};
      }
      throw new Error('too many redirects');
    },
    submit(page, fields, headers = {}) {
      const hidden = [...page.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map((match) => [
        match[1]!,
        match[2]!,
      ]);
      const body = new URLSearchParams(Object.fromEntries(hidden));
      for (const [name, value] of Object.entries(fields)) {
        body.delete(name);
        for (const item of [value].flat()) body.append(name, item);
      }
      return browser.visit(page.url.replace(/\?.*$/, ''), {
        method: 'POST',
        body,
        headers: { origin: new URL(page.url).origin, ...headers },
      });
    },
  };
  return browser;
}

function keepCookie(cookies: TestBrowser['cookies'], line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const name = pair.slice(0, pair.indexOf('='));
  const value = pair.slice(pair.indexOf('=') + 1);
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
  if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
  else cookies.set(name, { value, path, attributes: attributes.join('; ') });
}
