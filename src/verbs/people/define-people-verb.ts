import type { Accounts } from '../../auth/accounts.ts';
import { defineHostVerb, type HostContext, type RestOffer, type Verb } from '../verb.ts';

interface PeopleVerb<In, Out>
  extends Pick<Verb<In, Out>, 'needs'>,
    Partial<Pick<Verb<In, Out>, 'input'>>,
    Omit<RestOffer<Out>, 'group'> {
  run: (context: Omit<HostContext, 'accounts'> & { accounts: Accounts }, input: In) => Promise<Out>;
}

/** A verb about people, teams or tokens: all of them are offered alike, work with the accounts, and write unless they are a GET. */
export function definePeopleVerb<In, Out>(verb: PeopleVerb<In, Out>): Verb<In, Out, HostContext> {
  const { needs, input = {}, run, ...offer } = verb;
  return defineHostVerb({
    needs,
    ...(!offer.at.startsWith('GET') && { writes: true }),
    input,
    run: async (context, given) => run({ ...context, accounts: await context.accounts() }, given),
    rest: { group: 'People', ...offer },
  });
}
