import { type Command, type Flag, GLOBAL_FLAGS } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A script for the shell's start-up file; it needs no call of ltm while the person types. */
export function makeCompletion(shell: (typeof SHELLS)[number], commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function flagsOf(command: Command): Flag[] {
  return [...command.flags, ...GLOBAL_FLAGS];
}

/** Words that may stand after the name: subcommands, or the commands that `help` explains. */
function wordsOf(command: Command, commands: readonly Command[]): readonly string[] {
  return command.name === 'help' ? commands.map(({ name }) => name) : (command.words ?? []);
}

function bash(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name).join(' ');
  const cases = commands.map((command) => {
    const words = [...wordsOf(command, commands), ...flagsOf(command).map((flag) => `--${flag.name}`)];
    return `    ${command.name}) words="${words.join(' ')}" ;;`;
  });
  const choosing = commands.flatMap(({ flags }) => flags.filter(({ choices }) => choices !== undefined));
  const values = Array.from(new Map(choosing.map(({ name, choices }) => [name, choices!.join(' ')]))).map(
    ([name, words]) => `    --${name}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`,
  );
  return `_ltm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" command="" word
  case "$previous" in
${values.join('\n')}
    --db|--config|--backup) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
${cases.join('\n')}
    *) words="${names} --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$command" in import|export) [[ "$current" == -* ]] || COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}
complete -o filenames -F _ltm ltm
`;
}

function zsh(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const flags = flagsOf(command).map((flag) => `      ${quote(zshFlag(flag))}`);
    const words =
      wordsOf(command, commands).length === 0
        ? "'*:word:_files'"
        : quote(`1:word:(${wordsOf(command, commands).join(' ')})`);
    return `    ${command.name}) _arguments ${[...flags, `      ${words}`].join(' \\\n').trimStart()} ;;`;
  });
  return `#compdef ltm
_ltm() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_ltm" ]; then _ltm "$@"; else compdef _ltm ltm; fi
`;
}

function zshFlag(flag: Flag): string {
  const description = flag.description.replace(/[[\]:]/g, ' ');
  const choices = flag.choices === undefined ? '' : `(${flag.choices.join(' ')})`;
  const value = flag.value === undefined ? '' : `:value:${flag.value === 'FILE' ? '_files' : choices}`;
  return `${flag.many === true ? '*' : ''}--${flag.name}[${description}]${value}`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ name, summary }) => `complete -c ltm -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
  );
  for (const command of commands) {
    const here = `complete -c ltm -n ${quote(`__fish_seen_subcommand_from ${command.name}`)}`;
    for (const word of wordsOf(command, commands)) lines.push(`${here} -f -a ${word}`);
    for (const flag of flagsOf(command)) lines.push(`${here} ${fishFlag(flag)}`);
  }
  return `${lines.join('\n')}\n`;
}

function fishFlag(flag: Flag): string {
  const short = flag.short === undefined ? '' : ` -s ${flag.short}`;
  const files = flag.value === 'FILE' ? ' -F' : ' -f';
  const choices = flag.choices === undefined ? files : ` -f -a ${quote(flag.choices.join(' '))}`;
  const value = flag.value === undefined ? '' : ` -r${choices}`;
  return `-l ${flag.name}${short}${value} -d ${quote(flag.description)}`;
}

/** Single quotes, in which no shell expands anything. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
