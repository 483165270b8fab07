import { isFiller } from './judge-value.ts';
import { compileOnce, groupRules, matchAt, measureEntropy, type SecretRule } from './secret-rule.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const HEX32 = '[0-9a-f]{32}';
const LOWER = (length: number | string): string => `[a-z0-9]{${length}}`;
const WORDS = (length: number | string): string => `[\\w=-]{${length}}`;

type Row = readonly [kind: string, names: string, value: string];

/** Vendors whose keys have no shape of their own: a name of theirs, an operator, and a value of the right length. Names are in lower case, parted by blanks. */
const rows = (): readonly Row[] => [
  ['adafruit-key', 'adafruit', WORDS(32)],
  ['adobe-key', 'adobe', HEX32],
  ['airtable-key', 'airtable', LOWER(17)],
  ['algolia-key', 'algolia', LOWER(32)],
  ['alibaba-secret', 'alibaba aliyun', LOWER(30)],
  ['asana-secret', 'asana', LOWER(32)],
  ['atlassian-key', 'atlassian confluence jira', `${LOWER(20)}[a-f0-9]{4}`],
  ['aws-secret-key', 'secret_access_key secretaccesskey secret-access-key aws_secret', '[A-Za-z0-9/+]{40}'],
  ['beamer-token', 'beamer', 'b_[\\w=-]{44}'],
  ['bitbucket-key', 'bitbucket', `(?:${LOWER(32)}|${WORDS(64)})`],
  ['bittrex-key', 'bittrex', LOWER(32)],
  ['meraki-key', 'meraki', '[0-9a-f]{40}'],
  ['cloudflare-key', 'cloudflare', '(?:[\\w-]{40}|[a-f0-9]{37})'],
  ['codecov-token', 'codecov', LOWER(32)],
  ['cohere-key', 'cohere co_api_key', LOWER(40)],
  ['coinbase-token', 'coinbase', '[\\w-]{64}'],
  ['confluent-key', 'confluent', `(?:${LOWER(16)}|${LOWER(64)})`],
  ['contentful-key', 'contentful', WORDS(43)],
  ['datadog-key', 'datadog dd_api_key dd_app_key', `(?:${LOWER(40)}|${LOWER(32)})`],
  ['discord-key', 'discord', `(?:[a-f0-9]{64}|${WORDS(32)}|[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,38})`],
  ['drone-token', 'droneci', LOWER(32)],
  ['dropbox-key', 'dropbox', `(?:${LOWER(15)}|[a-z0-9]{11}a{10}[\\w=-]{43})`],
  ['elevenlabs-key', 'elevenlabs xi-api-key', `(?:sk_)?[a-f0-9]{32,48}`],
  ['etsy-key', 'etsy', LOWER(24)],
  ['facebook-secret', 'facebook', HEX32],
  ['fastly-token', 'fastly', WORDS(32)],
  ['finicity-key', 'finicity', `(?:${HEX32}|${LOWER(20)})`],
  ['finnhub-token', 'finnhub', LOWER(20)],
  ['flickr-token', 'flickr', LOWER(32)],
  ['freshbooks-token', 'freshbooks', LOWER(64)],
  ['gitter-token', 'gitter', '[\\w-]{40}'],
  ['gocardless-token', 'gocardless', 'live_[\\w=-]{40}'],
  ['heroku-key', 'heroku', UUID],
  ['hubspot-key', 'hubspot', UUID],
  ['intercom-key', 'intercom', WORDS(60)],
  ['jfrog-key', 'jfrog artifactory bintray xray', `(?:${LOWER(73)}|${LOWER(64)})`],
  ['kraken-token', 'kraken', '[\\w/=+-]{80,90}'],
  ['kucoin-key', 'kucoin', `(?:[a-f0-9]{24}|${UUID})`],
  ['launchdarkly-key', 'launchdarkly', WORDS(40)],
  ['linear-secret', 'linear', HEX32],
  ['linkedin-secret', 'linkedin linked_in linked-in', LOWER(16)],
  ['lob-key', 'lob', '(?:(?:live|test)_[a-f0-9]{35}|(?:live|test)_pub_[a-f0-9]{31})'],
  ['looker-key', 'looker', `(?:${LOWER(24)}|${LOWER(20)})`],
  ['mailgun-key', 'mailgun', '(?:(?:pub)?key-[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})'],
  ['mapbox-token', 'mapbox', '[ps]k\\.[a-z0-9]{60}\\.[a-z0-9]{22}'],
  ['mattermost-token', 'mattermost', LOWER(26)],
  ['messagebird-key', 'messagebird message_bird message-bird', `(?:${LOWER(25)}|${UUID})`],
  ['mistral-key', 'mistral', LOWER(32)],
  ['deepgram-key', 'deepgram', '[a-f0-9]{40}'],
  ['netlify-key', 'netlify', WORDS('40,46')],
  ['new-relic-id', 'new-relic newrelic new_relic', LOWER(64)],
  ['nytimes-key', 'nytimes newyorktimes', WORDS(32)],
  ['okta-token', 'okta', '00[\\w=-]{40}'],
  ['plaid-key', 'plaid', `(?:${LOWER(30)}|${LOWER(24)})`],
  ['privateai-key', 'privateai private_ai private-ai', LOWER(32)],
  ['rapidapi-key', 'rapidapi', '[\\w-]{50}'],
  ['sendbird-key', 'sendbird', `(?:[a-f0-9]{40}|${UUID})`],
  ['sentry-key', 'sentry', '[a-f0-9]{64}'],
  ['sidekiq-secret', 'contribsys__com', '[a-f0-9]{8}:[a-f0-9]{8}'],
  ['snyk-key', 'snyk', UUID],
  ['sonar-key', 'sonar', `(?:sq[upa]_)?${WORDS(40)}`],
  ['squarespace-token', 'squarespace', UUID],
  ['sumologic-key', 'sumo', `(?:${LOWER(64)}|su[a-z0-9]{12})`],
  ['travis-token', 'travis', LOWER(22)],
  ['trello-key', 'trello', `(?:${LOWER(64)}|${HEX32})`],
  ['twilio-secret', 'twilio', HEX32],
  ['twitch-token', 'twitch', LOWER(30)],
  [
    'twitter-key',
    'twitter',
    '(?:[a-z0-9]{25}|[a-z0-9]{45}|[a-z0-9]{50}|\\d{15,25}-[a-z0-9]{20,40}|a{22}[a-z0-9%]{80,100})',
  ],
  ['yandex-secret', 'yandex', 'YC[\\w-]{38}'],
  ['zendesk-key', 'zendesk', LOWER(40)],
];

const BETWEEN = '[ \\t\\w.-]{0,30}[\\s"\'`\\\\\\]]{0,4}(?:=>|:{1,3}=|=|:|\\?=|,|>|\\|\\|)[\\s"\'`\\\\=]{0,6}';

export const VENDOR_ASSIGNMENT_RULES = groupRules(rows, toRule);

function toRule([kind, names, value]: Row): SecretRule {
  const compiled = compileOnce(`${BETWEEN}(${value})(?![\\w=-])`, 'iy');
  const find: SecretRule['find'] = (text, at) => {
    const [whole = '', found] = matchAt(compiled(), text, at) ?? [];
    // Digits and letters: words have no digit, and a bare number in JSON, which may hold one e, must stay one.
    if (
      found === undefined ||
      !/\d/.test(found) ||
      !/[a-z].*[a-z]/i.test(found) ||
      isFiller(found) ||
      measureEntropy(found) < 2.8
    )
      return null;
    const end = at + whole.length;
    return [end - found.length, end];
  };
  return { kind, mode: 'redact', literals: names.split(' '), anyCase: true, glued: true, context: true, find };
}
