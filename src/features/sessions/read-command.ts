/** What a command line is for; `look` shows something and changes nothing. */
export type CommandPurpose = 'test' | 'build' | 'lint' | 'install' | 'commit' | 'git' | 'look' | 'files' | 'run';

export interface ReadCommand {
  purpose: CommandPurpose;
  /** The part that matters, without what moves there, sets variables or shortens the output; the same work has the same text. */
  text: string;
  /** Its name, as people call it: `npm test`, `pytest`. */
  name: string;
}

/** The first that fits decides. Matched against the part of a command line that matters. */
const PURPOSES: readonly (readonly [CommandPurpose, RegExp])[] = [
  ['commit', /^git\b(?: -\S+(?: [^-\s]\S*)?)*? commit\b/],
  [
    'look',
    /^git\b(?: -\S+(?: [^-\s]\S*)?)*? (?:status|diff|log|show|blame|branch|remote|rev-parse|ls-files|describe|reflog|config --get)\b/,
  ],
  ['git', /^(?:git|gh|glab)\b/],
  ['install', /^(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:i|install|ci|add|remove|rm|uninstall|up|update|upgrade)\b|^yarn$/],
  [
    'install',
    /^(?:pip3?|pipx|uv|poetry|gem|bundle|composer|cargo|brew|apt|apt-get|dnf|apk|go|conda)(?: pip)? (?:-\S+ )*(?:install|add|remove|uninstall|sync|require|get|mod|update|upgrade)\b/,
  ],
  ['test', /^(?:npm|pnpm|yarn|bun|deno)(?: -\S+(?: [^-\s]\S*)?)*? (?:run )?(?:t|tst|test)(?:[:\w-]*)(?:\s|$)/],
  [
    'test',
    /^(?:jest|vitest|mocha|ava|tap|pytest|py\.test|tox|nox|rspec|phpunit|ctest|karma|cypress|playwright test|nextest|gotestsum)\b/,
  ],
  [
    'test',
    /^(?:go|cargo|mix|swift|dotnet|sbt|bazel|flutter|dart|zig build|rails|php artisan) (?:\S+ )??(?:test|nextest)\b|^node\b.* --test\b|^node --test\b/,
  ],
  [
    'test',
    /^(?:make|mvn|\.\/mvnw|gradle|\.\/gradlew|just|rake|nx|turbo)\b.*\b(?:test|tests|check|verify|spec)\b|^python3?\b.* -m (?:unittest|pytest)\b/,
  ],
  ['test', /(?:^|\/)(?:run[-_]?)?tests?(?:\.(?:sh|py|js|ts))?(?:\s|$)/],
  ['lint', /^(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:run )?(?:lint|format|fmt|typecheck|type-check|types|check)\b/],
  [
    'lint',
    /^(?:eslint|biome|prettier|ruff|flake8|pylint|mypy|pyright|black|isort|golangci-lint|shellcheck|rubocop|stylelint|tsc --noEmit|cargo (?:fmt|clippy)|gofmt|go vet|knip)\b/,
  ],
  ['build', /^(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:run )?(?:build|compile|bundle)\b/],
  [
    'build',
    /^(?:tsc|make|cmake|webpack|rollup|esbuild|vite build|next build|ninja|gcc|g\+\+|clang|javac|rustc|docker(?: buildx)? build|docker compose build)\b/,
  ],
  [
    'build',
    /^(?:cargo (?:build|check)|go build|mvn|\.\/mvnw|gradle|\.\/gradlew|dotnet build|swift build|msbuild|xcodebuild)\b/,
  ],
  ['files', /^(?:rm|mv|cp|mkdir|touch|chmod|chown|ln|sed -i|tee|rsync|tar|unzip)\b/],
  [
    'look',
    /^(?:cat|less|more|head|tail|ls|ll|find|fd|grep|egrep|rg|ag|sed|awk|wc|echo|printf|pwd|which|type|whereis|tree|file|stat|du|df|ps|env|printenv|date|whoami|uname|jq|yq|sort|uniq|diff|bat|nl|column|history|lsof|top|id|hostname)\b/,
  ],
];

/** Which part of `a && b; c` says what it was for. */
const WEIGHT: Record<CommandPurpose, number> = {
  commit: 8,
  test: 7,
  build: 6,
  lint: 5,
  install: 4,
  run: 3,
  git: 3,
  files: 2,
  look: 1,
};

export function readCommand(command: string): ReadCommand {
  const parts = splitCommands(command)
    .map(cleanPart)
    .filter((part) => part !== '');
  let best: ReadCommand | null = null;
  for (const text of parts) {
    const bare = withoutRunner(text);
    const purpose = PURPOSES.find(([, pattern]) => pattern.test(bare))?.[0] ?? 'run';
    if (best === null || WEIGHT[purpose] > WEIGHT[best.purpose]) best = { purpose, text, name: nameOf(bare) };
  }
  return (
    best ?? { purpose: 'look', text: command.replace(/\s+/g, ' ').trim(), name: command.trim().split(/\s/)[0] ?? '' }
  );
}

/** At `&&`, `||`, `;` and line ends, outside of quotes; what is fed in by `<<` belongs to its command. */
function splitCommands(command: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let i = 0; i < command.length; i++) {
    const sign = command[i]!;
    if (quote !== '') {
      if (sign === quote && (quote === "'" || command[i - 1] !== '\\')) quote = '';
      part += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      part += sign;
    } else if (sign === '<' && command.startsWith('<<', i) && command[i + 2] !== '<') {
      const [end, kept] = skipHereDocument(command, i);
      part += kept;
      i = end - 1;
    } else if (sign === ';' || sign === '\n' || command.startsWith('&&', i) || command.startsWith('||', i)) {
      parts.push(part);
      part = '';
      if (sign === '&' || sign === '|') i++;
    } else part += sign;
  }
  return [...parts, part];
}

/** Where it ends, and its first line, which is all that is kept of it. */
function skipHereDocument(command: string, at: number): [number, string] {
  const head = /^<<-?\s*(['"]?)([\w-]+)\1/.exec(command.slice(at, at + 80));
  if (head === null) return [at + 2, '<<'];
  const end = new RegExp(`\\n\\s*${head[2]}(?=\\s|\\)|$)`).exec(command.slice(at));
  return [end === null ? command.length : at + end.index + end[0].length, ' '];
}

const PASSED_OVER = /^(?:cd|pushd|popd|set|export|unset|source|\.|sleep|true|:|alias|clear|nvm|conda activate|echo)\b/;

function cleanPart(part: string): string {
  const text = part
    .replace(/\s+/g, ' ')
    .replace(/^[\s({!]+/, '')
    .replace(/\|.*$/, (pipe) =>
      /["']/.test(part.slice(0, part.length - pipe.length)) && /["']/.test(pipe) ? pipe : '',
    )
    .replace(/\s*(?:\d|&)?>{1,2}\s*&?(?:\d|\/?[\w./-]+)/g, '')
    .replace(
      /^(?:(?:sudo|time|nohup|command|exec|env|then|do|timeout \S+) |[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*) )+/,
      '',
    )
    .replace(/[)}&\s]+$/, '')
    .trim();
  return PASSED_OVER.test(text) ? '' : text;
}

/** What runs inside of `npx`, `poetry run` … is what matters. */
function withoutRunner(text: string): string {
  return text
    .replace(
      /^(?:npx(?: -y| --yes| --no-install)?|bunx|pnpm (?:exec|dlx)|yarn (?:exec|dlx)|npm exec(?: --)?|uv run|poetry run|pipenv run|bundle exec|rye run|hatch run|dotenv --) /,
      '',
    )
    .replace(/^python3? -m (?=(?:pytest|mypy|ruff|black|pip|build)\b)/, '')
    .replace(/^(?:\.\/)?node_modules\/\.bin\//, '')
    .replace(/^(?:[\w./-]*\/)?(?=(?:pytest|node|python3?|jest|vitest)\b)/, '');
}

/** Its first two words where the first alone says little. */
function nameOf(text: string): string {
  const words = text.split(' ').filter((word) => !word.startsWith('-'));
  const two =
    /^(?:npm|pnpm|yarn|bun|deno|go|cargo|git|gh|docker|make|dotnet|mix|swift|kubectl|terraform|gradle|mvn|uv|pip3?|poetry|next|vite|playwright)$/;
  const [first = '', second = '', third = ''] = words;
  if (first === 'node' && text.includes('--test')) return 'node --test';
  if (!two.test(first)) return first;
  return second === 'run' || second === 'compose' ? `${first} ${second} ${third}`.trim() : `${first} ${second}`.trim();
}
