import type { TestContext } from 'node:test';
import { exchangeSealed } from '../../src/features/sync/sealed/exchange-sealed.ts';
import { openKeyFolder } from '../../src/features/sync/sealed/key-file.ts';
import { beginSealed, joinSealed, type SealedSpace } from '../../src/features/sync/sealed/vault-session.ts';
import { makeFolder } from '../open-test-engine.ts';
import { FAR, type Machine, openMachine } from './open-machine.ts';

export const SERVER_URL = 'http://server.test';

interface Laptop extends Machine {
  space: SealedSpace;
  home: string;
  sync(over?: Partial<Parameters<typeof exchangeSealed>[0]>): ReturnType<typeof exchangeSealed>;
}

export async function openLaptop(
  context: TestContext,
  server: Machine,
  options: { path?: string; home?: string } = {},
) {
  const machine = await openMachine(context, options.path === undefined ? {} : { path: options.path });
  const home = options.home ?? makeFolder();
  const folder = openKeyFolder({ LTM_CONFIG_DIR: home });
  const far = server.client(FAR);
  const laptop: Laptop = {
    ...machine,
    home,
    space: { far, folder, url: SERVER_URL, team: null, now: () => machine.clock.now() },
    sync: (over = {}) =>
      exchangeSealed({ near: machine.client(), far, folder, url: SERVER_URL, now: () => machine.clock.now(), ...over }),
  };
  return laptop;
}

/** A server and two laptops, the second of which has joined with the words. */
export async function openSealed(context: TestContext) {
  const server = await openMachine(context);
  const [one, two] = [await openLaptop(context, server), await openLaptop(context, server)];
  const { words } = await beginSealed(one.space, 'one');
  await joinSealed(two.space, words.join(' '), 'two');
  return { server, one, two, words };
}
