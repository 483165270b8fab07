import type { Accounts } from '../../auth/accounts.ts';
import type { Action } from '../../engine/authorize.ts';
import type { Fields } from '../field.ts';
import { defineHostVerb, type HostContext, type Method, type RestOffer, type Verb } from '../verb.ts';

interface PeopleVerb<In, Out> extends Omit<RestOffer<Out>, 'method' | 'path' | 'group'> {
  name: string;
  needs: Action;
  /** Where REST offers it. Everything but a GET writes. */
  at: `${Method} /${string}`;
  input?: Fields;
  run: (context: Omit<HostContext, 'accounts'> & { accounts: Accounts }, input: In) => Promise<Out>;
}

/** A verb about people, teams or tokens: all of them are offered alike, and work with the accounts. */
export function definePeopleVerb<In, Out>(verb: PeopleVerb<In, Out>): Verb<In, Out, HostContext> {
  const { name, needs, at, input = {}, run, ...offer } = verb;
  const [method, path] = at.split(' ') as [Method, string];
  return defineHostVerb({
    name,
    needs,
    ...(method !== 'GET' && { writes: true }),
    input,
    run: async (context, given) => run({ ...context, accounts: await context.accounts() }, given),
    rest: { method, path, group: 'People', ...offer },
  });
}
