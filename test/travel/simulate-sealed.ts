import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { type Random, seededRandom } from '../../src/features/evaluation/seeded-random.ts';
import { exchangeSealed } from '../../src/features/sync/sealed/exchange-sealed.ts';
import type { KeyFolder, VaultFile } from '../../src/features/sync/sealed/key-file.ts';
import type { FarVault } from '../../src/features/sync/sealed/sealed-work.ts';
import { beginSealed, joinSealed, rotateSealed } from '../../src/features/sync/sealed/vault-session.ts';
import { MINUTE } from '../open-test-engine.ts';
import { FAR, type Machine, openMachine, PERSON } from './open-machine.ts';

const URL = 'http://server.test';
const MACHINES = 3;
const STEPS = 30;
const NOBODY = -1;

interface Written {
  by: number;
  step: number;
  id: string;
  /** Null: the record was purged. */
  text: string | null;
  isSynced: boolean;
}

interface Laptop {
  machine: Machine;
  folder: KeyFolder;
  /** When it was backed up. */
  backup: number | null;
}

interface World {
  random: Random;
  place: string;
  /** Closed when the seed is over. */
  closing: (() => unknown)[];
  server: Machine;
  laptops: Laptop[];
  written: Written[];
  step: number;
  /** An upload was changed where the server keeps it: only a check finds that. */
  isHarmed: boolean;
  /** Laptops are put back in this history; in the others the server is harmed. */
  isPutBack: boolean;
}

/**
 * Three laptops and a server that cannot read, with the real databases and the real exchange: random edits, tags, deletions, restores, purges,
 * relations, new keys, exchanges that break off or are repeated, backups that are put back, and a server that loses and changes uploads. What is
 * wrong at the end, in words.
 */
export async function simulateSealed(seed: number): Promise<string[]> {
  const place = mkdtempSync(join(tmpdir(), 'ltm-sealed-'));
  const closing: World['closing'] = [];
  try {
    const world = await begin(seededRandom(seed), place, closing);
    for (world.step = 1; world.step <= STEPS; world.step++) await takeStep(world);
    return await settle(world);
  } finally {
    for (const close of closing) await close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function open(path: string, closing: World['closing']): Promise<Machine> {
  const context = { after: (close: () => unknown) => closing.push(close) } as unknown as TestContext;
  return openMachine(context, { path });
}

async function begin(random: Random, place: string, closing: World['closing']): Promise<World> {
  const server = await open(join(place, 'server.db'), closing);
  const world: World = {
    random,
    place,
    closing,
    server,
    laptops: [],
    written: [],
    step: 0,
    isHarmed: false,
    isPutBack: random() < 0.5,
  };
  let words = '';
  for (let i = 0; i < MACHINES; i++) {
    const machine = await open(join(place, `${i}.db`), closing);
    machine.clock.time += Math.floor((random() - 0.5) * 8 * MINUTE);
    world.laptops.push({ machine, folder: keyFolder(), backup: null });
    const space = spaceOf(world, i);
    if (i === 0) words = (await beginSealed(space, 'first')).words.join(' ');
    else await joinSealed(space, words, `machine ${i}`);
  }
  return world;
}

function keyFolder(): KeyFolder {
  let kept: VaultFile | null = null;
  return {
    read: () => kept,
    write: (file) => {
      kept = file;
    },
    remove: () => {
      kept = null;
    },
  };
}

function spaceOf({ server, laptops }: World, i: number) {
  const { machine, folder } = laptops[i]!;
  return { far: server.client(FAR), folder, url: URL, team: null, now: () => machine.clock.now() };
}

async function takeStep(world: World): Promise<void> {
  const { random, laptops } = world;
  const by = Math.floor(random() * MACHINES);
  const { machine } = laptops[by]!;
  machine.clock.run(Math.floor(random() * MINUTE));
  const dice = random();
  if (dice < 0.5) await change(world, by);
  else if (dice < 0.85) await exchange(world, by, { isRough: true });
  else if (dice < 0.88) await rotateSealed(spaceOf(world, by), { revoke: [], newWords: false });
  else if (dice < 0.92) await backUp(world, by);
  // What only the server has any more, after a laptop was put back, it cannot lose without loss.
  else if (world.isPutBack) await putBack(world, by);
  else harmServer(world);
}

async function change(world: World, by: number): Promise<void> {
  const { random, laptops, written, step } = world;
  const { machine } = laptops[by]!;
  const { engine } = machine;
  const here = (await engine.listMemories(PERSON, { page: { limit: 100 } })).items;
  const gone = (await machine.store.listDeletions(PERSON.space, { limit: 100 })).map(({ id }) => id);
  const dice = random();
  const text = `text ${step} of ${by} ${random()}`;
  const note = (id: string, said: string | null) => written.push({ by, step, id, text: said, isSynced: false });
  const ref = here[Math.floor(random() * here.length)]?.id;
  if (ref === undefined || dice < 0.3) note(await machine.write(text, { tags: ['new'] }), text);
  else if (dice < 0.6) {
    await engine.updateMemory(PERSON, { ref, content: text });
    note(ref, text);
  } else if (dice < 0.7) await engine.updateMemory(PERSON, { ref, tags: ['new', `tag${step}`] });
  else if (dice < 0.8) await engine.deleteMemories(PERSON, { refs: [ref] });
  else if (dice < 0.87 && gone.length > 0) await engine.restoreMemories(PERSON, [gone[0]!]);
  else if (dice < 0.93) {
    await engine.purge(PERSON, { refs: [ref] });
    note(ref, null);
  } else if (here[0]!.id !== ref) await engine.relate(PERSON, { from: ref, to: here[0]!.id, type: 'related' });
}

class Broken extends Error {}

/** A connection that breaks before or after a request, or brings it twice. */
function roughly(far: FarVault, random: Random): FarVault {
  const rough =
    <In, Out>(ask: (input: In) => Promise<Out>) =>
    async (input: In): Promise<Out> => {
      if (random() < 0.06) throw new Broken();
      if (random() < 0.1) await ask(input);
      const answer = await ask(input);
      if (random() < 0.06) throw new Broken();
      return answer;
    };
  return {
    ...far,
    pullUploads: rough(far.pullUploads),
    pushUploads: rough(far.pushUploads),
    listSlots: rough(far.listSlots),
  };
}

async function exchange(world: World, by: number, { isRough = false, isChecked = false } = {}) {
  const { machine } = world.laptops[by]!;
  const { far, ...space } = spaceOf(world, by);
  const { team: _, ...about } = space;
  try {
    const report = await exchangeSealed({
      ...about,
      near: machine.client(),
      isChecked,
      far: isRough ? roughly(far, world.random) : far,
    });
    if (report.inSync === true) for (const one of world.written) if (one.by === by) one.isSynced = true;
    return report;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return null;
  }
}

async function backUp({ laptops, place, step }: World, by: number): Promise<void> {
  const laptop = laptops[by]!;
  await laptop.machine.store.backup(join(place, `${by}-${step}.backup`));
  laptop.backup = step;
}

/** What nobody else had heard of since the backup is gone, and only that. */
async function putBack(world: World, by: number): Promise<void> {
  const { place, laptops, closing } = world;
  const laptop = laptops[by]!;
  const { backup } = laptop;
  if (backup === null) return;
  const { time } = laptop.machine.clock;
  await laptop.machine.engine.close();
  const path = join(place, `${by}-again-${world.step}.db`);
  copyFileSync(join(place, `${by}-${backup}.backup`), path);
  const machine = await open(path, closing);
  machine.clock.time = time;
  laptops[by] = { ...laptop, machine, backup: null };
  const isGone = (one: Written) => one.by === by && one.step > backup && !one.isSynced;
  // A purge may have reached the server all the same: nobody can be sure of it.
  world.written = world.written
    .filter((one) => !isGone(one) || one.text === null)
    .map((one) => (isGone(one) ? { ...one, by: NOBODY } : one));
}

/** Uploads that vanish, and ones of which a byte is another. */
function harmServer(world: World): void {
  const { server, random } = world;
  const database = new DatabaseSync(server.path);
  const which = "FROM sealed WHERE slot <> '' ORDER BY seq LIMIT 1 OFFSET 1";
  if (random() < 0.5) database.exec(`DELETE FROM sealed WHERE upload IN (SELECT upload ${which})`);
  else {
    world.isHarmed = true;
    database.exec(`UPDATE sealed SET body = zeroblob(300), crc = NULL WHERE upload IN (SELECT upload ${which})`);
  }
  database.close();
}

async function settle(world: World): Promise<string[]> {
  const { laptops, written } = world;
  const wrong: string[] = [];
  // What was ahead of a clock is taken in once the clock has come as far.
  const latest = Math.max(...laptops.map(({ machine }) => machine.clock.time));
  for (const { machine } of laptops) machine.clock.run(latest - machine.clock.time);
  for (let round = 0; round < 3; round++)
    for (const by of laptops.keys()) await exchange(world, by, { isChecked: round === 0 && world.isHarmed });
  for (const by of laptops.keys()) if ((await exchange(world, by))?.inSync !== true) wrong.push(`${by} is not in sync`);
  const digests = await Promise.all(laptops.map(({ machine }) => machine.engine.digestSpace(PERSON)));
  if (new Set(digests.map(({ digest }) => digest)).size > 1) wrong.push('they hold different things');
  const purged = new Set(written.filter(({ text }) => text === null).map(({ id }) => id));
  const sure = new Set(written.filter(({ text, isSynced }) => text === null && isSynced).map(({ id }) => id));
  for (const [by, { machine }] of laptops.entries())
    for (const { id, text } of world.written) {
      if (text === null) continue;
      const isThere = JSON.stringify(await machine.store.readHeld(PERSON.space, [id])).includes(text);
      if (!isThere && !purged.has(id)) wrong.push(`${by} has lost "${text}"`);
      if (isThere && sure.has(id)) wrong.push(`${by} has "${text}", which was purged`);
    }
  const { keys } = await world.server.engine.digestSealed(PERSON);
  if (Object.keys(keys).length > 1) wrong.push('something is still sealed with an earlier key');
  return wrong;
}
