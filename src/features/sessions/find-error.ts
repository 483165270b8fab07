export interface FoundError {
  /** The line that says what went wrong, as it is, without what only machines need. */
  text: string;
  /** `TypeError`, `TS2322`, `ECONNREFUSED`: its name, where it has one. */
  name: string | null;
  /** How many there are of the kind, where they come one a line. */
  count: number;
}

/** The most telling first. Each is matched against single lines. */
const ERRORS: readonly RegExp[] = [
  /^(?<text>\S+\.[cm]?[jt]sx?[(:]\d+[,:]\d+\)?(?::| -) error (?<name>TS\d+): .+)$/,
  /^(?<text>error\[(?<name>E\d+)\]: .+)$/,
  /^(?<text>\S+:\d+(?::\d+)?: (?:fatal )?error: .+)$/,
  /^(?<text>(?:\.\/)?[\w./-]+\.go:\d+(?::\d+)?: .+)$/,
  /^\s*(?:Uncaught |E\s+|\[ERROR\]\s+|> )?(?<text>(?:[a-z][\w]*\.)*(?<name>[A-Z]\w*(?:Error|Exception|Panic)|AssertionError)(?: \[\w+\])?: .+)$/,
  /^\s*(?<text>(?:Exception in thread .+|Caused by: (?<name>[\w.$]+).*))$/,
  /^(?<text>panic: .+|thread '.+' (?:\(\d+\) )?panicked at .+)$/,
  /^\s*(?<text>\d+:\d+\s+error\s+.+)$/,
  /(?<text>.*\b(?<name>ECONNREFUSED|EADDRINUSE|ENOENT|EACCES|EPERM|ETIMEDOUT|ENOTFOUND|ENOSPC|E404|ERESOLVE|ECONNRESET)\b.*)/,
  /^(?:npm (?:ERR!|error) )(?!code|errno|syscall|path|A complete log|\s*$)(?<text>.+)$/,
  /^(?<text>(?:fatal|error|ERROR|Error|FATAL|CONFLICT|E)(?: \([^)]*\))?: .+)$/,
  /^(?<text>.*(?:command not found|No such file or directory|Permission denied|[Cc]annot find module|ModuleNotFound).*)$/,
  /^(?<text>make(?:\[\d+\])?: \*\*\* .+)$/,
  /^(?<text>\w+(?:Error|Exception|Interrupt|Exit))$/,
];

/** Compilers and linters give one a line. */
const LISTED = /^\s*(?:\S+[(:]\d+[,:]?|\d+:\d+\s|error\[E)/;

/** What went wrong, by the most telling line of an output. */
export function findError(lines: readonly string[]): FoundError | null {
  for (const pattern of ERRORS) {
    const found = lines.filter((line) => line.length <= 600 && pattern.test(line));
    const groups = found.length === 0 ? undefined : pattern.exec(pickLine(pattern, lines, found))?.groups;
    if (groups !== undefined)
      return {
        text: groups.text!.trim(),
        name: groups.name ?? null,
        count: LISTED.test(groups.text!) ? new Set(found).size : 1,
      };
  }
  return null;
}

/** Python says last what went wrong, everybody else first. */
function pickLine(pattern: RegExp, lines: readonly string[], found: readonly string[]): string {
  const isPython = lines.some((line) => line.startsWith('Traceback (most recent call last)'));
  return isPython && pattern.test('ValueError: x') ? found.at(-1)! : found[0]!;
}

const EXIT = [
  /^(?:Process )?[Ee]xit(?:ed)?(?: with)?(?: (?:code|status))?:? (\d+)\b/,
  /^(?:<exit_code>|Exit Code: )(\d+)/,
  /(?:[Cc]ommand failed with|exited with|terminated with)(?: exit)?(?: code| status)?:? (\d+)/,
  /^exit status (\d+)$/,
  /"exit_code":\s*(\d+)/,
  /\bELIFECYCLE\b.*exit code (\d+)/,
];

/** The exit status that stands in an output, as agents write it there; null where none does. */
export function readExitCode(lines: readonly string[]): number | null {
  const ends = lines.length > 60 ? [...lines.slice(0, 10), ...lines.slice(-40)] : lines;
  for (const pattern of EXIT)
    for (const line of ends) {
      const code = line.length > 300 ? undefined : pattern.exec(line)?.[1];
      if (code !== undefined) return Number(code);
    }
  return null;
}
