import { isFiller, isGenerated, isPlaceholder, isPlainWord, looksMade, looksStrong } from './judge-value.ts';
import { readValue, type Value } from './read-value.ts';
import { compileOnce, groupRules, matchAt, type Range, type SecretRule } from './secret-rule.ts';

/** A command line may be this long before the option. */
const LONGEST_COMMAND = 300;

interface Row {
  /** What stands before the password, and from there to the password. */
  literals: readonly string[];
  head: string;
  /** What the line must have said before: the program, or nothing at all. */
  line: RegExp;
  /** It may also stand in a sentence, before a password that no word of one looks like. */
  amid?: true;
  /** `name:password` and the like; the password is what comes after the sign. */
  after?: RegExp;
  kind?: string;
}

const ANY = /^/;
const LINE_START = /^[ \t+-]*$/;
const NAME_AND_COLON = /^[\w.@+\\-]{1,64}[:,]/;
/** `name:'password'` */
const NAME_BEFORE_QUOTE = /[\w.@+-]{1,64}[:,%](?=\\{0,7}["'])/y;
const NAME_AND_PERCENT = /^[\w.@+\\/-]{1,64}%/;
const LOGIN =
  /\b(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|helm|az|oc|cf|ibmcloud|vault|gcloud|argocd|aws|nomad)\b.*\blogin\b/;

const rows = (): readonly Row[] => [
  {
    literals: ['-p'],
    head: '-p(?=[^\\s-])(?!(?:ort|rotocol|rompt|ager|lugin)\\b)',
    line: /(?<![\p{L}\w])(?:mysql|mariadb|percona|7z|7za|7zz|rar|unrar|sshpass|mycli)[\w-]*\b/u,
  },
  { literals: ['-p '], head: '-p ', line: LOGIN },
  {
    literals: ['-p ', '-P ', '-pw '],
    head: '-(?:p|P|pw) ',
    line: /\b(?:sshpass|mongo\w*|sqlcmd|bcp|isql|tsql|zip|unzip|zipcloak|mosquitto_\w+|psexec|rdesktop|twine upload|plink|pscp|influx|clickhouse-client|cypher-shell|arangosh|smbmap|crackmapexec|nxc|evil-winrm|svn|ipmitool|useradd|usermod|adduser)\b/,
  },
  { literals: ['-a '], head: '-a ', line: /\b(?:redis|valkey)-cli\b/ },
  { literals: ['-w ', '-s '], head: '-[ws] ', line: /\bldap(?:search|add|modify|delete|whoami|passwd|compare)\b/ },
  {
    literals: ['-u ', '--user ', '--user=', '-u=', '--proxy-user '],
    head: '-{1,2}[a-z-]{1,12}[ =]',
    line: /\bcurl\b/,
    after: NAME_AND_COLON,
    kind: 'curl-password',
  },
  {
    literals: ['-u ', '--auth ', '-a ', '--auth=', '-A '],
    head: '-{1,2}[a-zA-Z-]{1,12}[ =]',
    line: /\b(?:https?|xh|httpie|lftp|ab|wrk|hey)\b/,
    after: NAME_AND_COLON,
  },
  {
    literals: ['-U ', '--user=', '--user '],
    head: '-{1,2}[a-zA-Z]{1,8}[ =]',
    line: /\b(?:smbclient|rpcclient|smbget|net|winexe)\b/,
    after: NAME_AND_PERCENT,
  },
  { literals: ['/p:'], head: '/p:', line: /freerdp/ },
  { literals: ['/user:', '/USER:'], head: '/(?:user|USER):\\S{1,64} ', line: /\bnet use\b/i },
  { literals: ['/pass:', '/PASS:'], head: '/(?:pass|PASS):', line: /\bcmdkey\b/i },
  { literals: ['net user '], head: 'net user \\S{1,64} (?=\\S{1,72} /)', line: ANY },
  {
    literals: ['-b', '-cb', '-Bb', '-nb'],
    head: '-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}(?: -\\w{1,8}){0,4}(?: [^\\s-]\\S{0,80})?(?= \\S{1,64} \\S) \\S{1,64} ',
    line: /\bhtpasswd\b/,
  },
  { literals: ['pass:'], head: 'pass:', line: /-(?:pass|passin|passout|k) ?["']?$/ },
  {
    literals: ['add_user ', 'change_password '],
    head: '(?:add_user|change_password) \\S{1,64} ',
    line: /\brabbitmqctl\b/,
  },
  { literals: ['auth-pass '], head: 'auth-pass \\S{1,64} ', line: /\bsentinel\b/ },
  { literals: [' on >'], head: ' on >', line: /\b(?:user|setuser)\b/i },
  {
    literals: ['auth http', 'login http'],
    head: '(?:auth|login) https?://[^\\s"\'`]{1,200} ',
    line: /\b[\w-]{2,24} $/,
  },
  { literals: ['-u'], head: '-u(?=[^\\s-])', line: /\bcurl\b/, after: NAME_AND_COLON, kind: 'curl-password' },
  { literals: ['--body '], head: '--body ', line: /\bgh secret set\b/ },
  { literals: ['enable secret ', 'enable password '], head: 'enable \\w+ (?:\\d )?', line: LINE_START },
  {
    literals: [' secret ', ' password '],
    head: ' \\w+ (?:\\d )?',
    line: /^[ \t]*username [\w.-]{1,64}(?: privilege \d{1,2})?$/,
  },
  { literals: ['sqlplus '], head: 'sqlplus (?:-\\w{1,8} ){0,3}\\w{1,40}/', line: ANY },
  { literals: ['oracle:thin:', 'oracle:oci:'], head: 'oracle:(?:thin|oci):\\w{1,40}/', line: ANY },
  {
    literals: ['identified by ', 'IDENTIFIED BY ', 'identified with ', 'IDENTIFIED WITH '],
    head: '(?:identified|IDENTIFIED) (?:by|BY|with \\w{1,30} by|WITH \\w{1,30} BY) (?:PASSWORD |password |VALUES |values )?',
    line: /\b(?:create|alter) (?:user|role)\b|\bgrant\b.*\bto\b/i,
  },
  {
    literals: ['requirepass ', 'masterauth ', 'bindpw ', 'rootpw ', 'rootbindpw ', 'AuthLDAPBindPassword '],
    head: '\\w{1,24}[ \\t]{1,4}(?:--(?:plaintext|iscrypted) )?',
    line: LINE_START,
    amid: true,
  },
  { literals: ['ConvertTo-SecureString '], head: 'ConvertTo-SecureString (?:-String )?', line: ANY },
];

function toRule({ literals, head, line, amid, after, kind = 'password' }: Row): SecretRule {
  const opening = compileOnce(head, 'y');
  const find: SecretRule['find'] = (text, at) => {
    const match = matchAt(opening(), text, at);
    if (match === null || (text[at] === '-' && !/[\s"'`]/.test(text[at - 1] ?? ' '))) return null;
    const isInPlace = line.test(lineBefore(text, at));
    if (!isInPlace && amid !== true) return null;
    const start = at + match[0].length;
    if (after !== undefined) {
      const name = matchAt(NAME_BEFORE_QUOTE, text, start)?.[0].length;
      const quoted = name === undefined ? null : readValue(text, start + name);
      if (quoted?.quoted === true) return judge(quoted);
    }
    const value = readValue(text, start);
    if (!isInPlace && !(value !== null && (isGenerated(value.text) || looksStrong(value.text)))) return null;
    return value === null ? null : after === undefined ? judge(value) : judgeLast(value, after);
  };
  return { kind, mode: 'redact', literals, anyCase: false, glued: true, context: true, find };
}

/** Of the command at `at`, what stands before; the end of a line that goes on does not end it. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_COMMAND), at).replace(/\\\r?\n/g, ' ');
  return before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('|'), before.lastIndexOf(';')) + 1);
}

function judge({ text, range }: Value): Range | null {
  return looksMade(text) || isPlainWord(text) || isGenerated(text) ? range : null;
}

function judgeLast({ text, range }: Value, after: RegExp): Range | null {
  const name = after.exec(text)?.[0];
  if (name === undefined) return null;
  const password = text.slice(name.length);
  return password.length >= 3 && (!isPlaceholder(password) || isGenerated(password))
    ? [range[0] + name.length, range[1]]
    : null;
}

const ECHOED =
  /(?:echo|printf|Write-Output)(?: -[a-zA-Z]+)? (?:"([^"\n\\]{3,128})"|'((?:[^'\n]|'\\{1,7}''){3,128})'|([^\s"'|\\]{3,128})) ?$/;

/** `echo password | sudo -S`, `echo name:password | chpasswd`. */
const pipedRule: SecretRule = {
  kind: 'password',
  mode: 'redact',
  literals: [
    '| sudo ',
    '| chpasswd',
    '| docker login',
    '| podman login',
    '| helm registry',
    '| passwd --stdin',
    '| gpg ',
    '| cryptsetup ',
    '| ssh-add',
    '|sudo ',
    '|chpasswd',
  ],
  anyCase: false,
  glued: true,
  context: true,
  find(text, at) {
    const line = text.slice(at, at + 120);
    if (
      !/^\| ?(?:sudo (?:-\w+ )*-S|(?:sudo )?chpasswd|(?:docker|podman|helm)[^\n]*--password-stdin|passwd --stdin|gpg [^\n]*--passphrase-fd|cryptsetup|ssh-add)/.test(
        line,
      )
    )
      return null;
    const echoed = ECHOED.exec(text.slice(Math.max(0, at - LONGEST_COMMAND), at));
    const value = echoed?.[1] ?? echoed?.[2] ?? echoed?.[3];
    if (value === undefined) return null;
    const password = line.includes('chpasswd') ? value.slice(value.indexOf(':') + 1) : value;
    if ((isFiller(password) && !isGenerated(password)) || password.length < 3) return null;
    const end = at - (text[at - 1] === ' ' ? 1 : 0) - (echoed![3] === undefined ? 1 : 0);
    return [end - password.length, end];
  },
};

const CALL =
  /(?:auth\w{0,12}|login|credentials?|sign_?in|connect)["']?[ \t]{0,2}[=(:]{1,2}[ \t]{0,2}[([]?[ \t]{0,2}(["'])[\w.@+-]{1,64}\1[ \t]{0,2},[ \t]{0,2}(["'])([^"'\s\\]{4,72})\2[ \t]{0,2}[)\],]/iy;

/** `auth=('name', 'password')`, `client.login("name", "password")` */
const callRule: SecretRule = {
  kind: 'password',
  mode: 'redact',
  literals: ['auth', 'login', 'credential', 'sign', 'connect'],
  anyCase: true,
  glued: true,
  context: true,
  find(text, at) {
    const match = matchAt(CALL, text, at);
    if (match === null || !looksMade(match[3]!)) return null;
    const end = at + match[0].lastIndexOf(match[2]!);
    return [end - match[3]!.length, end];
  },
};

const PGPASS = /:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:\\]{4,72})(?=\r?\n|$)/y;

/** `host:port:database:name:password`, a line of .pgpass. */
const pgpassRule: SecretRule = {
  kind: 'password',
  mode: 'redact',
  literals: [':5432:', ':5433:', ':6432:', ':*:', ':3306:', ':5434:'],
  anyCase: false,
  glued: true,
  context: true,
  find(text, at) {
    const match = matchAt(PGPASS, text, at);
    if (
      match === null ||
      isPlaceholder(match[1]!) ||
      !/(?:^|\n)[\w.*-]{1,100}$/.test(text.slice(Math.max(0, at - 101), at))
    )
      return null;
    const end = at + match[0].length;
    return [end - match[1]!.length, end];
  },
};

/** Passwords on command lines, and in files that part a name from its value by a blank. */
export const COMMAND_RULES = groupRules(
  (): readonly (Row | SecretRule)[] => [...rows(), pipedRule, callRule, pgpassRule],
  (row) => ('mode' in row ? row : toRule(row)),
);
