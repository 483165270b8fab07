import { AWS_RULE } from './aws-rule.ts';
import { JWT_RULE } from './jwt-rule.ts';
import { KEY_RULES } from './key-rule.ts';
import { ALNUM, groupRules, type SecretRule, type TokenOptions, type TokenRow, toTokenRule } from './secret-rule.ts';

const ROOTS = ['Users', 'home', 'opt', 'var', 'etc', 'root', 'tmp', 'mnt', 'srv', 'private', 'Volumes'];
/** A path that goes on from a dot, a wildcard or a placeholder is not an absolute one. */
const NOT_RELATIVE = '(?<![\\w.*}~])';
const SHARE_NAME = '[A-Za-z0-9][\\w.$-]{1,62}';

const DRIVE_PATH =
  '(?<!\\w)[A-Za-z]:[\\\\/]{1,4}[\\w.$~()-][\\w.$~()\\\\/-]*(?: [\\w.()-]{1,64}[\\\\/][\\w.()\\\\/-]*){0,8}';
/** `~robin/…` */
const othersHome = (): string => [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `~${letter}`).join(' ');
const HOME_IN_BRACES = ['$', '{HOME}'].join('');
const HOME = '(?:\\$(?:HOME|USERPROFILE|PWD)\\b|\\$\\{HOME\\}|\\$env:[A-Z]{4,12})"?[\\\\/][\\w.$\\\\/-]+';
const SSH_BODY = '\\s{1,8}AAAA[A-Za-z0-9+/=]{20,}';

const BLOCK: TokenOptions = { mode: 'block', glued: true };
const GLUED: TokenOptions = { glued: true };

/** The kinds of the packet protocol, under their own names, and what its own list left out. */
const rows = (): readonly TokenRow[] => [
  ['abs-path', ROOTS.map((root) => `/${root}/`).join(' '), `${NOT_RELATIVE}/(?:${ROOTS.join('|')})/[\\w./-]+`, BLOCK],
  ['abs-path', '~/', '(?<![\\w~./])~/[\\w.-][\\w./-]*', BLOCK],
  ['abs-path', othersHome(), '(?<![\\w~./])~[a-z][a-z0-9_-]{1,31}/[\\w.-][\\w./-]*', BLOCK],
  [
    'abs-path',
    `$HOME ${HOME_IN_BRACES} $PWD/ $USERPROFILE $env:USERPROFILE $env:HOME $env:APPDATA $env:LOCALAPPDATA $env:TEMP`,
    HOME,
    BLOCK,
  ],
  [
    'abs-path',
    '%USERPROFILE% %HOMEPATH% %APPDATA% %LOCALAPPDATA% %TEMP% %HOME% %HOMEDRIVE%',
    '%[A-Z]{4,13}%(?:%HOMEPATH%)?[\\\\/][\\w.$ ()\\\\/-]*',
    BLOCK,
  ],
  ['abs-path', '/Users/', '(?<![\\w.*}~])/[a-z](?=/Users/)/Users/[\\w./-]+', { mode: 'block', before: [2] }],
  ['abs-path', '\\Users\\', '(?<![\\w:.])\\\\{1,2}Users\\\\{1,2}[\\w.$-][\\w.$\\\\-]*', BLOCK],
  ['abs-path', ':\\ :/', DRIVE_PATH, { mode: 'block', before: [1] }],
  ['abs-path', '\\\\', `(?<![\\\\\\w])\\\\{2,4}${SHARE_NAME}\\\\{1,2}${SHARE_NAME}(?:\\\\[\\w.$\\\\-]*)?`, BLOCK],
  [
    'arn',
    'arn:aws',
    'arn:aws[a-z-]{0,12}:[a-z0-9-]{1,40}:[a-z0-9-]{0,30}:\\d{0,12}:[\\w:/.*+=,@-]+',
    { mode: 'block' },
  ],
  [
    'aws-key',
    'AGPA AIDA AROA AIPA ANPA ANVA ABIA ACCA A3T',
    'A(?:3T[A-Z0-9]|GPA|IDA|ROA|IPA|NPA|NVA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ],
  ['gh-token', 'ghp_ gho_ ghu_ ghs_ ghr_', `gh[pousr]_${ALNUM}{36,}`, GLUED],
  ['gh-token', 'github_pat_', 'github_pat_\\w{36,}', GLUED],
  ['google-api-key', 'AIza', 'AIza[\\w-]{35}(?![A-Za-z0-9])'],
  ['slack-token', 'xoxb- xoxa- xoxp- xoxr- xoxs- xoxo- xoxe- xoxd- xoxc-', 'xox[baprsoedc]-[A-Za-z0-9-]{10,}'],
  ['slack-token', 'xoxe.xox xapp-', '(?:xoxe\\.xox[bp]-|xapp-)[A-Za-z0-9-]{20,}'],
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_', `[sr]k_(?:live|test|prod)_${ALNUM}{20,}`],
  ['stripe-key', 'whsec_', `whsec_${ALNUM}{32,}`],
  ['ssh-public-key', 'ssh-rsa ssh-ed25519 ssh-dss ssh-ecdsa', `ssh-(?:rsa|ed25519|dss|ecdsa)${SSH_BODY}`, BLOCK],
  [
    'ssh-public-key',
    'ecdsa-sha2- sk-ssh- sk-ecdsa-',
    `(?:sk-)?(?:ecdsa-sha2-nistp\\d{3}|ssh-ed25519)(?:@openssh\\.com)?${SSH_BODY}`,
    BLOCK,
  ],
];

export const PACKET_RULES = groupRules(
  (): readonly (TokenRow | SecretRule)[] => [...rows(), AWS_RULE, ...KEY_RULES, JWT_RULE],
  (row) => ('mode' in row ? row : toTokenRule(row)),
);
