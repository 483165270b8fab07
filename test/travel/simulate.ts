import { NOTHING_HELD } from '../../src/model/merge-states.ts';
import { isDeleted, listTags, listTexts, relationPart, type SharedState, TEXT } from '../../src/model/shared-state.ts';
import type { StateWrite } from '../../src/model/write-state.ts';
import { type Failures, findFailures, type SimulatedEvent } from './expected-end.ts';
import {
  copyData,
  hold,
  holdingOf,
  knownOf,
  newReplica,
  pull,
  type Replica,
  RULES,
  type Rules,
} from './simulated-replica.ts';

const IDS = ['a', 'b', 'c', 'd'];
const STEPS = 110;
/** A record that was deleted this many steps ago loses its text. */
const EXPIRES_AFTER = 25;

interface World {
  replicas: Replica[];
  rules: Rules;
  random: () => number;
  step: number;
  renewed: number;
  events: SimulatedEvent[];
  /** Ids whose text was let go somewhere: their versions may be gone. */
  expired: Set<string>;
}

/** Three to five replicas that write, meet, part, crash and are put back; at the end all meet, and what they hold is what an ideal one would. */
export function simulate(seed: number, rules: Rules = RULES): Failures {
  const random = createRandom(seed);
  const count = 3 + Math.floor(random() * 3);
  // Laptops around a server, or everybody with everybody.
  const isStar = seed % 2 === 0;
  const replicas = Array.from({ length: count }, (_, i) => newReplica(`r${i}`, Math.floor((random() - 0.5) * 400)));
  const world: World = { replicas, rules, random, step: 0, renewed: 0, events: [], expired: new Set() };
  const mayMeet = (a: Replica, b: Replica) => a !== b && (!isStar || a === replicas[0] || b === replicas[0]);
  let parted = new Set<string>();
  for (; world.step < STEPS; world.step++) {
    if (random() < 0.04) parted = new Set(replicas.filter(() => random() < 0.4).map(({ name }) => name));
    const [one, other] = [pick(world, replicas), pick(world, replicas)];
    const dice = random();
    if (dice < 0.5) act(world, one);
    else if (dice < 0.53) one.backup = { data: copyData(one), replica: one.replica, epoch: one.epoch };
    else if (dice < 0.55) putBack(world, one);
    else if (dice < 0.57) one.skew = Math.floor((random() - 0.5) * 400);
    else if (mayMeet(one, other) && parted.has(one.name) === parted.has(other.name))
      pull(one, other, { rules, step: world.step, random, isRough: true });
  }
  let moved = true;
  for (let round = 0; moved && round < 40; round++) {
    moved = false;
    for (const here of replicas)
      for (const there of replicas)
        if (mayMeet(here, there) && pull(here, there, { rules, step: world.step, random, isRough: false }))
          moved = true;
  }
  return findFailures(replicas, world);
}

function putBack(world: World, replica: Replica): void {
  if (replica.backup === null) return;
  const { data, ...identity } = replica.backup;
  Object.assign(replica, copyData(data), identity);
  world.renewed++;
  if (world.rules.renews.includes('replica')) replica.replica = `${replica.name}${world.renewed}`;
  if (world.rules.renews.includes('epoch')) replica.epoch = `${replica.name}e${world.renewed}`;
}

function act(world: World, replica: Replica): void {
  const { random } = world;
  const id = pick(world, IDS);
  const { state } = holdingOf(replica, id);
  const dice = random();
  if (state === null || isGone(state)) {
    if (dice < 0.7) create(world, replica, id);
    return;
  }
  if (isDeleted(state)) {
    if (dice < 0.35) restore(world, replica, id);
    else if (dice < 0.45) purge(world, replica, id);
    else if (dice < 0.9) expire(world, replica, id);
    return;
  }
  const tag = pick(world, ['x', 'y']);
  if (dice < 0.35) write(world, replica, id, { text: { text: newText(world) } });
  else if (dice < 0.55) {
    const has = listTags(state).includes(tag);
    write(world, replica, id, has ? { removeTags: [tag] } : { addTags: [tag] });
  } else if (dice < 0.65)
    write(world, replica, id, { fields: { type: `type${world.events.length}`, unheard: world.step } });
  else if (dice < 0.8) write(world, replica, id, { life: 'delete' });
  else if (dice < 0.83) purge(world, replica, id);
  else if (dice < 0.86) scrub(world, replica, id);
  else relate(world, replica, id);
}

function isGone(state: SharedState): boolean {
  return isDeleted(state) && listTexts(state)[0]?.gone === true;
}

function newText({ events }: World): string {
  return `text ${events.length}`;
}

function create(world: World, replica: Replica, id: string): void {
  const tags = ['x', 'y'].filter(() => world.random() < 0.4);
  const { state } = holdingOf(replica, id);
  const known = state === null ? [] : listTags(state);
  write(world, replica, id, {
    text: { text: newText(world) },
    addTags: tags.filter((tag) => !known.includes(tag)),
    fields: { type: 'note' },
    life: 'restore',
  });
}

function restore(world: World, replica: Replica, id: string): void {
  write(world, replica, id, { life: 'restore', text: { text: newText(world) } });
}

function relate(world: World, replica: Replica, id: string): void {
  const to = pick(world, IDS);
  const target = holdingOf(replica, to).state;
  if (target === null || to === id) return;
  const name = relationPart({ to, type: 'about' });
  const has = holdingOf(replica, id).state?.parts[name] !== undefined;
  write(world, replica, id, { parts: { [name]: has ? null : { toGeneration: target.generation } } });
}

function write(world: World, replica: Replica, id: string, change: StateWrite): void {
  const { buried, state } = holdingOf(replica, id);
  const dot = `${replica.replica}:${replica.feed.length + 1}`;
  const generation = Math.max(buried + 1, state?.generation ?? 0);
  const now = world.step * 10 + replica.skew;
  const after = world.rules.write(state, change, { dot, now, generation });
  const before = state?.generation === generation ? state : null;
  note(world, replica, { id, generation, before, after, text: change.text?.text as string | undefined });
  hold(replica, id, { buried, state: after }, { from: null, step: world.step });
}

interface Written {
  id: string;
  generation: number;
  before: SharedState | null;
  after: SharedState;
  text: string | undefined;
}

function note(world: World, replica: Replica, { id, generation, before, after, text }: Written): void {
  const [old, next] = [listParts(before), listParts(after)];
  const adds = next.filter((part) => !old.includes(part));
  const removes = old.filter((part) => !next.includes(part));
  const fields = Object.entries(after.fields).filter(([name, { dot }]) => before?.fields[name]?.dot !== dot);
  const overwrites = fields.flatMap(([name]) =>
    before?.fields[name] === undefined ? [] : [`${name}@${before.fields[name].dot}`],
  );
  knownOf(replica, id).add(world.events.length);
  world.events.push({ id, generation, adds, removes, fields: Object.fromEntries(fields), overwrites, text, buries: 0 });
}

export function listParts(state: SharedState | null): string[] {
  return Object.entries(state?.parts ?? {}).flatMap(([name, some]) => Object.keys(some).map((dot) => `${name}@${dot}`));
}

function purge(world: World, replica: Replica, id: string): void {
  const { state } = holdingOf(replica, id);
  const { generation } = state!;
  knownOf(replica, id).add(world.events.length);
  const nothing = { adds: [], removes: [], fields: {}, overwrites: [], text: undefined };
  world.events.push({ id, generation, ...nothing, buries: generation });
  const buried = world.rules.leavesGraves ? generation : 0;
  hold(replica, id, { buried, state: null }, { from: null, step: world.step });
}

function scrub(world: World, replica: Replica, id: string): void {
  if (world.rules.scrubs === 'edit') {
    const { generation } = holdingOf(replica, id).state!;
    write(world, replica, id, { text: { text: newText(world) } });
    replica.versions.delete(id);
    for (const event of world.events)
      if (event !== world.events.at(-1) && event.id === id && event.generation === generation) event.scrubbed = true;
    return;
  }
  purge(world, replica, id);
  write(world, replica, id, { text: { text: newText(world) }, addTags: [], fields: { type: 'note' } });
}

function expire(world: World, replica: Replica, id: string): void {
  const { buried, state } = holdingOf(replica, id);
  const { rules, step } = world;
  const since = rules.expires === 'everything known' ? 0 : (replica.arrived.get(id) ?? step);
  if (state === null || step - since < EXPIRES_AFTER) return;
  world.expired.add(id);
  if (rules.expires !== 'text') {
    hold(replica, id, { ...NOTHING_HELD, buried: state.generation }, { from: null, step });
    return;
  }
  const texts = Object.entries(state.parts[TEXT] ?? {}).map(([dot, { time }]) => [dot, { time, gone: true }] as const);
  hold(
    replica,
    id,
    { buried, state: { ...state, parts: { ...state.parts, [TEXT]: Object.fromEntries(texts) } } },
    { from: null, step },
  );
  replica.versions.delete(id);
}

function pick<T>({ random }: { random: () => number }, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
