import type { SpaceId } from '../../src/model/ids.ts';
import type { TestApp } from '../open-test-app.ts';
import { canariesIn, type Tenants, type TestCredential } from './tenants.ts';

/** A stream that somebody holds open while the others work. */
export interface Listener {
  credential: TestCredential;
  path: string;
  /** Where a client of the older transport sends its messages; empty on other streams. */
  messagesPath(): string;
}

export interface Listeners {
  list: readonly Listener[];
  /** How many marks came, and what came that should not have. */
  report(): { heard: number; problems: readonly string[] };
  /** Opens again what has ended. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

interface Open extends Listener {
  isOver: boolean;
  end(): Promise<void>;
}

/** Each stream may show what its credential could read when it was opened: a change of rights ends it. */
export async function listenIn(app: TestApp, tenants: Tenants): Promise<Listeners> {
  const problems: string[] = [];
  let heard = 0;
  const spaces: readonly SpaceId[] = [...tenants.teams, ...new Set(tenants.credentials.map(({ person }) => person))];
  const list: Open[] = [];

  async function open(credential: TestCredential, path: string): Promise<Open | null> {
    const allowed = new Set(spaces.filter((space) => tenants.mayRead(credential, space)));
    const response = await app.request('GET', path, {
      token: credential.value,
      headers: { accept: 'text/event-stream' },
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      return null;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const one: Open = {
      credential,
      path,
      isOver: false,
      messagesPath: () => /^data: (\/mcp\/messages\S+)/m.exec(text)?.[1] ?? '',
      end: () => reader.cancel(),
    };
    void (async () => {
      for (;;) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done || value === undefined) break;
        text = (text + value).slice(-2000);
        for (const space of canariesIn(text)) {
          heard++;
          if (!allowed.has(space))
            problems.push(`${path} of ${credential.person} (${credential.what}) shows what is in ${space}`);
        }
      }
      one.isOver = true;
    })();
    return one;
  }

  const wanted = tenants.credentials
    .filter((_, i) => i % 3 !== 1)
    .map((credential, i) => [credential, i % 3 === 0 ? '/mcp/sse' : '/api/v1/events'] as const);
  const listeners: Listeners = {
    list,
    report: () => ({ heard, problems }),
    async renew() {
      for (const [credential, path] of wanted) {
        const at = list.findIndex((one) => one.credential === credential);
        if (at >= 0 && !list[at]!.isOver) continue;
        const next = await open(credential, path);
        if (at >= 0) list.splice(at, 1);
        if (next !== null) list.push(next);
      }
    },
    async close() {
      await Promise.all(list.map((one) => one.end()));
    },
  };
  await listeners.renew();
  return listeners;
}
