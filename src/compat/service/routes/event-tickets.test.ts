import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventTickets, type TicketFact } from './event-tickets.ts';

test('a ticket is good for one stream, within a minute, in whichever process it is used', () => {
  let now = 0;
  const [told, back]: TicketFact[][] = [[], []];
  const here = createEventTickets(
    () => now,
    (fact) => told!.push(fact),
  );
  const there = createEventTickets(
    () => now,
    (fact) => back!.push(fact),
  );
  const ticket = here.issue('Bearer x', 'x');
  there.note(told![0]!);
  assert.equal(there.redeem(ticket), 'Bearer x');
  here.note(back![0]!);
  assert.equal(here.redeem(ticket), null);
  assert.equal(there.redeem(ticket), null);
  const late = here.issue('Bearer y', 'y');
  now = 60_001;
  assert.equal(here.redeem(late), null);
});

test('however many tickets one person asks for, those of others stay good, in every process', () => {
  const told: TicketFact[] = [];
  const here = createEventTickets(
    () => 0,
    (fact) => told.push(fact),
  );
  const there = createEventTickets(() => 0);
  const ticket = here.issue('Bearer x', 'x');
  const many = Array.from({ length: 3000 }, () => here.issue('Bearer y', 'y'));
  for (const fact of told) there.note(fact);
  assert.equal(there.redeem(ticket), 'Bearer x');
  assert.equal(here.redeem(ticket), 'Bearer x');
  assert.equal(here.redeem(many[0]!), null);
  const kept = many.filter((one) => there.redeem(one) !== null);
  assert.deepEqual(kept, many.slice(-100));
});
