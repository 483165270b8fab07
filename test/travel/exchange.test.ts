import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ExchangeReport, exchangeReplicas } from '../../src/features/sync/exchange-replicas.ts';
import type { Caller } from '../../src/model/caller.ts';
import type { Client } from '../../src/verbs/client.ts';
import { collect } from '../exchange-samples.ts';
import { DAY } from '../open-test-engine.ts';
import { FAR, type Machine, openMachine, PERSON } from './open-machine.ts';

const URL = 'http://server.test';
/** Lines as they travel: text, whole or not at all. */
function far(server: Machine, caller: Caller = FAR): Client {
  return server.client(caller);
}

function exchange(
  near: Machine,
  server: Machine,
  over: Partial<Parameters<typeof exchangeReplicas>[0]> = {},
): Promise<ExchangeReport> {
  return exchangeReplicas({ near: near.client(), far: far(server), url: URL, now: () => near.clock.now(), ...over });
}

test('two machines and a server hold the same after each has exchanged, whoever was offline', async (context) => {
  const [server, one, two] = [await openMachine(context), await openMachine(context), await openMachine(context)];
  const first = await one.write('The port is 8000', { tags: ['net'] });
  const second = await two.write('Deploy on Fridays');
  equal((await exchange(one, server)).pushed, 1);
  deepEqual(await exchange(two, server).then(({ pulled, pushed, inSync }) => [pulled, pushed, inSync]), [1, 1, true]);
  await one.engine.updateMemory(PERSON, { ref: first, content: 'The port is 8001' });
  await two.engine.deleteMemories(PERSON, { refs: [second] });
  for (const machine of [one, two, one]) await exchange(machine, server);
  for (const machine of [server, one, two]) {
    equal((await machine.read(first))?.content, 'The port is 8001');
    equal(await machine.read(second), undefined);
  }
  const digests = await Promise.all([server, one, two].map((machine) => machine.engine.digestSpace(PERSON)));
  equal(new Set(digests.map(({ digest }) => digest)).size, 1);
  deepEqual(await exchange(one, server).then(({ pulled, pushed, inSync }) => [pulled, pushed, inSync]), [0, 0, true]);
});

test('both texts stay where two machines changed one, until an edit that has seen both', async (context) => {
  const [server, one, two] = [await openMachine(context), await openMachine(context), await openMachine(context)];
  const id = await one.write('first');
  for (const machine of [one, two]) await exchange(machine, server);
  await one.engine.updateMemory(PERSON, { ref: id, content: 'of one' });
  await two.engine.updateMemory(PERSON, { ref: id, content: 'of two' });
  for (const machine of [one, two, one]) await exchange(machine, server);
  for (const machine of [server, one, two]) {
    const [conflict] = await machine.engine.listForks(PERSON);
    deepEqual(conflict?.texts.map(({ content }) => content).sort(), ['of one', 'of two']);
    equal((await machine.read(id))?.content, conflict?.texts[0]?.content);
  }
  await two.engine.updateMemory(PERSON, { ref: id, content: 'of both' });
  for (const machine of [two, one]) await exchange(machine, server);
  for (const machine of [server, one, two]) deepEqual(await machine.engine.listForks(PERSON), []);
  equal((await one.read(id))?.content, 'of both');
});

test('a purge travels with everything that was said of it, and an old copy does not bring it back', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await one.write('the secret plan');
  await exchange(one, server);
  await one.engine.close();
  const copy = `${one.path}.copy`;
  copyFileSync(one.path, copy);
  const again = await openMachine(context, { path: one.path });
  await again.engine.purge(PERSON, { refs: [id] });
  await exchange(again, server);
  equal((await server.store.readHeld(PERSON.space, [id]))[0]?.record, null);
  const old = await openMachine(context, { path: copy });
  await old.write('written on the copy');
  const report = await exchange(old, server);
  deepEqual([report.renewed, report.inSync], ['here', true]);
  equal(await old.read(id), undefined);
  deepEqual(
    (await server.engine.search(PERSON, { query: 'secret plan' })).hits.filter((hit) => hit.id === id),
    [],
  );
});

test('a server that was put back is given everything again, purges included', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await one.write('to be purged');
  await exchange(one, server);
  await server.engine.close();
  const copy = `${server.path}.copy`;
  copyFileSync(server.path, copy);
  const later = await openMachine(context, { path: server.path });
  await exchange(one, later);
  await one.engine.purge(PERSON, { refs: [id] });
  const kept = await one.write('kept');
  await exchange(one, later);
  const old = await openMachine(context, { path: copy });
  const report = await exchange(one, old);
  deepEqual([report.renewed, report.inSync], ['there', true]);
  equal(await old.read(id), undefined);
  equal((await old.read(kept))?.content, 'kept');
});

test('only the projects that were chosen travel', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const [web, api] = [
    await one.write('for the web', { project: 'web' }),
    await one.write('for the api', { project: 'api' }),
  ];
  const report = await exchange(one, server, { projects: ['web'] });
  deepEqual([report.pushed, report.inSync], [1, true]);
  deepEqual([(await server.read(web))?.content, await server.read(api)], ['for the web', undefined]);
  equal((await exchange(one, server)).pushed, 0);
  deepEqual(await exchange(one, server, { projects: [] }).then(({ pushed, inSync }) => [pushed, inSync]), [1, true]);
});

test('a reader pulls only, and one whose rights end is out', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await server.write('there');
  await one.write('here');
  const reader: Caller = { ...FAR, scopes: new Set(['read']) };
  const report = await exchange(one, server, { far: far(server, reader) });
  deepEqual([report.pulled, report.pushed, report.mayWrite, report.inSync], [1, 0, false, false]);
  equal((await one.read(id))?.content, 'there');
  await rejects(far(server, reader).pushRecords({ link: 'x', lines: [] }), { code: 'forbidden' });
  const none: Caller = { ...FAR, scopes: new Set() };
  await rejects(exchange(one, server, { far: far(server, none) }), { code: 'forbidden' });
});

test('trust never rises on the way, and who brings a text under another name is named', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await one.write('believed here');
  const agent: Caller = { ...FAR, isPerson: false };
  await exchange(one, server, { far: far(server, agent) });
  deepEqual([(await one.read(id))?.trust, (await server.read(id))?.trust], ['user', 'agent']);
  await exchange(one, server);
  equal((await one.read(id))?.trust, 'user');
  const [held] = await one.store.readHeld(PERSON.space, [id]);
  ok(held?.record?.source.userId === PERSON.userId);
  const member: Caller = { ...FAR, userId: 'eve', isPerson: true };
  const forged = await one.write('said to be of somebody else');
  await exchange(one, server, { far: far(server, member) });
  const [there] = await server.store.readHeld(PERSON.space, [forged]);
  deepEqual(
    [there?.record?.trust, there?.record?.source.userId, there?.record?.source.claimed?.userId],
    ['agent', 'eve', PERSON.userId],
  );
});

/** A server that says more of what it gives out, and of itself, than it may. */
function boasting(server: Machine, { isOwn = true, source = {}, caller = FAR } = {}): Client {
  const honest = far(server, caller);
  return {
    ...honest,
    greetReplica: async (input) => ({ ...(await honest.greetReplica(input)), isOwn }),
    async pullRecords(input) {
      const lines: string[] = [];
      for await (const line of await honest.pullRecords(input)) lines.push(raise(line, source));
      return (async function* () {
        yield* lines;
      })();
    },
  };
}

function raise(line: string, source: object): string {
  const said = JSON.parse(line);
  const origin = { trust: 'user', source: { door: 'cli', userId: PERSON.userId, ...source } };
  for (const part of Object.values(said.state?.parts?.text ?? {})) Object.assign(part as object, origin);
  for (const { record } of said.versions ?? []) Object.assign(record, origin);
  return JSON.stringify(said);
}

test('what a team’s server says of trust, doors and authors is a claim, whatever it says of itself', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const stored = await server.engine.storeMemory({ ...FAR, door: 'mcp', isPerson: false }, { content: 'first of bob' });
  ok('memory' in stored);
  const { id } = stored.memory;
  await server.engine.updateMemory(FAR, { ref: id, content: 'said by bob' });
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  const leaky = await openMachine(context, { settings: { redact: 'off' } });
  await leaky.write(`the token ${token}`);
  await exchange(leaky, server, { team: 'x' });
  const report = await exchange(one, server, {
    far: boasting(server, { source: { unredacted: true } }),
    team: 'crew',
  });
  ok(report.pulled >= 1);
  const [held] = await one.store.readHeld(PERSON.space, [id]);
  for (const record of [held!.record!, ...held!.versions.map((version) => version.record)]) {
    deepEqual([record.trust, record.source.door, record.source.unredacted], ['agent', 'rest', undefined]);
    deepEqual([record.source.claimed?.door, record.source.claimed?.trust], ['cli', 'user']);
  }
});

test('the engine believes no peer more than the space it writes to allows, whatever the client passes on', async (context) => {
  const one = await openMachine(context);
  const server = await openMachine(context);
  const id = await server.write('said by bob');
  const lines: string[] = [];
  for await (const line of await far(server).pullRecords({ link: 'l' })) lines.push(raise(line, {}));
  const inTeam: Caller = { ...PERSON, userId: 'ada' };
  await one.engine.takeTravelling(inTeam, {
    link: 'l',
    lines,
    pulled: { isOwn: true, keep: () => ({ name: 'to x', state: {} }) },
  });
  const [held] = await one.store.readHeld(PERSON.space, [id]);
  deepEqual([held?.record?.trust, held?.record?.source.door, held?.record?.source.userId], ['agent', 'rest', 'ada']);
});

test('an agent that sends text under its person’s own name cannot say by which door it came', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await one.write('typed by nobody');
  await exchange(one, server, { far: far(server, { ...FAR, isPerson: false }) });
  const [held] = await server.store.readHeld(PERSON.space, [id]);
  deepEqual(
    [held?.record?.trust, held?.record?.source.door, held?.record?.source.claimed?.door],
    ['agent', 'rest', 'cli'],
  );
});

test('an origin of no known form is nobody’s word', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await server.write('of whom?');
  await exchange(one, server, { far: boasting(server, { source: { door: { toString: 1 }, client: 7 } }) });
  const [held] = await one.store.readHeld(PERSON.space, [id]);
  deepEqual([held?.record?.trust, held?.record?.source.door], ['untrusted', 'rest']);
});

test('purges are taken from admins, and of what is one’s own', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const [foreign, own] = [await server.write('of the owner'), await one.write('of eve')];
  const eve: Caller = { ...FAR, userId: 'eve', scopes: new Set(['read', 'write']) };
  await exchange(one, server, { far: far(server, eve) });
  await one.engine.purge(PERSON, { refs: [foreign, own] });
  const report = await exchange(one, server, { far: far(server, eve) });
  deepEqual([report.refused.map(({ id }) => id), report.inSync], [[foreign], false]);
  match(report.refused[0]!.why, /admins/);
  deepEqual([(await server.read(foreign))?.content, await server.read(own)], ['of the owner', undefined]);
});

test('what claims to be written far ahead of the clock is refused and named, the rest is taken', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  await one.write('in time');
  one.clock.time += DAY;
  const ahead = await one.write('from tomorrow');
  const report = await exchange(one, server);
  deepEqual([report.pushed, report.refused.map(({ id }) => id), report.inSync], [1, [ahead], false]);
  server.clock.time += DAY;
  deepEqual(
    await exchange(one, server, { projects: ['x'] })
      .then(() => exchange(one, server, { projects: [] }))
      .then(({ inSync }) => inSync),
    true,
  );
});

test('a secret in what comes in is purged everywhere, and the rest of the text stays', async (context) => {
  const server = await openMachine(context);
  const one = await openMachine(context, { settings: { redact: 'off' } });
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  const id = await one.write(`The token is ${secret} for now`);
  await exchange(one, server);
  await exchange(one, server);
  for (const machine of [server, one]) {
    const [held] = await machine.store.readHeld(PERSON.space, [id]);
    ok(!JSON.stringify(held).includes(secret));
    match(held?.record?.content ?? '', /^The token is .* for now$/);
  }
  equal((await exchange(one, server)).inSync, true);
});

interface Line {
  id: string;
  state: {
    seen: Record<string, number>;
    parts: Record<string, Record<string, object>>;
    fields: Record<string, object>;
  };
  versions: { record: { content: string }; reason: string | null }[];
}

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const OTHER = 'fedcba9876543210';

/** Where a line says something that the text which shows does not. */
const BESIDE: Record<string, (line: Line) => void> = {
  'an earlier version': ({ versions }) => {
    versions[0]!.record.content = `The token was ${TOKEN} once`;
  },
  'the reason for a change': ({ versions }) => {
    versions[0]!.reason = `because ${TOKEN} was in it`;
  },
  'a text that was written at the same time': ({ state: { seen, parts } }) => {
    const [shown] = Object.values(parts.text!);
    parts.text![`${OTHER}:1`] = { ...shown, content: `The other token is ${TOKEN}`, time: 1 };
    seen[OTHER] = 1;
  },
  'a note of a relation': ({ id, state: { parts } }) => {
    const [[dot, { time }]] = Object.entries(parts.text!) as [[string, { time: number }]];
    const body = { by: 'rest:owner', note: `see ${TOKEN}` };
    parts[`relation ${id} related`] = { [dot]: { time, weight: 1, createdAt: time, toGeneration: 1, body } };
  },
  'the type of a relation': ({ id, state: { parts } }) => {
    const [[dot, { time }]] = Object.entries(parts.text!) as [[string, { time: number }]];
    parts[`relation ${id} ${TOKEN}`] = { [dot]: { time, weight: 1, createdAt: time, toGeneration: 1, body: {} } };
  },
  'a part of a later release': ({ state: { parts } }) => {
    const [[dot, { time }]] = Object.entries(parts.text!) as [[string, { time: number }]];
    parts.future = { [dot]: { time, says: { deep: [TOKEN] } } };
  },
  'the name of such a part': ({ state: { parts } }) => {
    const [[dot, { time }]] = Object.entries(parts.text!) as [[string, { time: number }]];
    parts[`future ${TOKEN}`] = { [dot]: { time } };
  },
  'a field of a later release': ({ state: { fields } }) => {
    fields.future = { ...fields.type, value: [TOKEN] };
  },
};

/** The lines of one memory that was changed once, by a machine that looks for no secrets. */
async function linesOf(one: Machine): Promise<{ id: string; line: Line; end: string }> {
  const id = await one.write('The first text');
  one.clock.time += 5;
  await one.engine.updateMemory(PERSON, { ref: id, content: 'The text as it is now', reason: 'because' });
  const [line, end] = await collect(await one.client().pullRecords({}));
  return { id, line: JSON.parse(line!) as Line, end: end! };
}

for (const [where, put] of Object.entries(BESIDE))
  test(`a secret in ${where} does not stay, and what shows does`, async (context) => {
    const server = await openMachine(context);
    const one = await openMachine(context, { settings: { redact: 'off' } });
    const { id, line, end } = await linesOf(one);
    put(line);
    const taken = await far(server).pushRecords({ link: 'raw', lines: [JSON.stringify(line), end] });
    deepEqual([taken.taken, taken.refusedCount], [1, 0]);
    const [held] = await server.store.readHeld(PERSON.space, [id]);
    ok(!JSON.stringify(held).includes(TOKEN));
    equal((await server.read(id))?.content, 'The text as it is now');
    await exchange(one, server);
    deepEqual(await exchange(one, server).then(({ inSync }) => inSync), true);
  });

test('a secret that a writer brings into what another person wrote is refused, and purges nothing', async (context) => {
  const server = await openMachine(context);
  const one = await openMachine(context, { settings: { redact: 'off' } });
  const [id, other] = [await server.write('of the owner'), await server.write('beside it')];
  await server.engine.relate(PERSON, { from: id, to: other, type: 'related' });
  const eve: Caller = { ...FAR, userId: 'eve', scopes: new Set(['read', 'write']) };
  await exchange(one, server, { far: far(server, eve) });
  one.clock.time += 5;
  await one.engine.updateMemory(PERSON, { ref: id, content: `of the owner, with ${TOKEN}` });
  const lines = await collect(await one.client().pullRecords({}));
  const push = { link: 'raw', lines: lines.filter((text, i) => text.includes(TOKEN) || i === lines.length - 1) };
  const refused = await far(server, eve).pushRecords(push);
  deepEqual(
    refused.refused.map((one) => [one.id, one.code]),
    [[id, 'forbidden']],
  );
  match(refused.refused[0]!.why, /secret/);
  equal((await server.read(id))?.content, 'of the owner');
  const [held] = await server.store.readHeld(PERSON.space, [id]);
  deepEqual([held?.relations.length, held?.buried], [1, 0]);
  deepEqual((await far(server).pushRecords(push)).refused, []);
  match((await server.read(id))?.content ?? '', /^of the owner, with \[redacted/);
});

test('of a record whose text was let go nothing is kept that holds a secret', async (context) => {
  const server = await openMachine(context);
  const { id, line, end } = await linesOf(await openMachine(context));
  const [[dot, { time }]] = Object.entries(line.state.parts.text!) as [[string, { time: number }]];
  Object.assign(line.state.parts, { text: { [dot]: { time, gone: true } }, deletion: { [dot]: { time } } });
  line.state.fields.project = { dot, time, value: TOKEN };
  await far(server).pushRecords({ link: 'raw', lines: [JSON.stringify({ ...line, versions: [] }), end] });
  const [held] = await server.store.readHeld(PERSON.space, [id]);
  deepEqual([held?.record, held?.stamps, held?.buried], [null, null, 1]);
});

test('a key that is a secret goes, and does not hold up what comes with it', async (context) => {
  const server = await openMachine(context);
  const one = await openMachine(context, { settings: { redact: 'off' } });
  const id = await one.write('named by a token', { key: TOKEN });
  const other = await one.write('without one');
  await exchange(one, server);
  equal((await exchange(one, server)).inSync, true);
  equal((await server.read(other))?.content, 'without one');
  const [held] = await server.store.readHeld(PERSON.space, [id]);
  deepEqual([held?.record?.key, held?.record?.content], [null, 'named by a token']);
});

test('the name of a link is kept, and none that holds a secret', async (context) => {
  const server = await openMachine(context);
  const client = far(server);
  const refused = { code: 'invalid_input' };
  const link = `laptop ${TOKEN}`;
  await rejects(client.greetReplica({ link, ticket: 0, format: 1 }), refused);
  await rejects(client.pushRecords({ link, lines: [] }), refused);
  await rejects(client.pullRecords({ link }), refused);
  await rejects(client.pushUploads({ link, keyId: 'k', upTo: 0, lines: [] }), refused);
  await client.greetReplica({ link: 'the laptop of Ada', ticket: 0, format: 1 });
});

test('an exchange that ends in the middle goes on where it was, and nothing is lost or doubled', async (context) => {
  const [server, one, two] = [await openMachine(context), await openMachine(context), await openMachine(context)];
  for (let i = 0; i < 30; i++) await one.write(`memory ${i}`);
  await exchange(one, server);
  const whole = far(server);
  const broken: Client = {
    ...whole,
    async pullRecords(input) {
      const lines = await whole.pullRecords(input);
      return (async function* () {
        let count = 0;
        for await (const line of lines) {
          if (count++ === 12) throw new Error('the connection broke');
          yield line;
        }
      })();
    },
  };
  await rejects(exchange(two, server, { far: broken }), /broke/);
  deepEqual(await exchange(two, server).then(({ inSync }) => inSync), true);
  equal((await two.engine.listMemories(PERSON, {})).total, 30);
});

test('a restore elsewhere survives the end of what is kept of deletions here', async (context) => {
  const [server, one] = [await openMachine(context), await openMachine(context)];
  const id = await one.write('deleted for a while', { tags: ['x'] });
  await exchange(one, server);
  await server.engine.deleteMemories(PERSON, { refs: [id] });
  await exchange(one, server);
  await one.engine.restoreMemories(PERSON, [id]);
  server.clock.time += 60 * DAY;
  one.clock.time += 60 * DAY;
  equal((await server.engine.purgeExpired(PERSON, {})).count, 1);
  await exchange(one, server);
  const back = await server.read(id);
  deepEqual([back?.content, back?.tags], ['deleted for a while', ['x']]);
  equal((await exchange(one, server)).inSync, true);
});
