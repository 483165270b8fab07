import type { Accounts } from '../../../auth/accounts.ts';
import { label, text } from '../../../verbs/field.ts';
import type { HostContext, RestOffer, Verb } from '../../../verbs/verb.ts';

export const personRef = label('User id or email.', { max: 254, isRequired: true });
/** Longer ones are nobody's; the rules for good ones are kept where it is set. */
export const MAX_PASSWORD = 4096;
export const newPassword = text('The new password, at least 10 characters; null removes it.', {
  max: MAX_PASSWORD,
  isRequired: true,
  isNullable: true,
});

interface PeopleVerb<In, Out>
  extends Pick<Verb<In, Out>, 'needs'>,
    Partial<Pick<Verb<In, Out>, 'input'>>,
    RestOffer<Out> {
  run: (context: Omit<HostContext, 'accounts'> & { accounts: Accounts }, input: In) => Promise<Out>;
}

/** A verb about people, teams or tokens: all of them are offered alike, work with the accounts, and write unless they are a GET. */
export function definePeopleVerb<In, Out>(verb: PeopleVerb<In, Out>): Verb<In, Out, HostContext> {
  const { needs, input = {}, run, ...offer } = verb;
  return {
    needs,
    writes: !offer.at.startsWith('GET'),
    input,
    run: async (context, given) => run({ ...context, accounts: await context.accounts() }, given),
    rest: offer,
  };
}
