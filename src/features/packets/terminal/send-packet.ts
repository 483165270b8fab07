import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { CommandContext } from '../../../cli/command.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import type { Streams } from '../../../cli/terminal.ts';
import { type AllowUnredacted, describeFinding, type FieldFinding } from '../../../privacy/field-finding.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { inspectPacket } from '../packet-forms.ts';

/** The bytes of a file, or of stdin for `-`, as they are. */
export async function readPacketFile(file: string, { stdin }: Streams): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new Uint8Array(await buffer(stdin));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The file "${file}" cannot be read (${code ?? 'unknown'}).`,
      '`ltm example` prints a packet to start from.',
    );
  }
}

/** Checks, searches for secrets, and only then opens a connection. Prints the packet's id. */
export async function sendPacket(context: CommandContext, raw: Uint8Array<ArrayBuffer>): Promise<number> {
  const { args, terminal, answer, sources, client } = context;
  const allowUnredacted = readAllowed(args);
  const { problem, findings } = inspectPacket(raw, allowUnredacted);
  const isLenient = args.isOn('lenient') || loadConfigOnce(sources).lenient;
  if (problem !== null && !isLenient) return refuse(context, ['packet rejected', ...problem.split('\n')]);
  if (findings.length > 0) return refuse(context, ['redaction failed'], findings);
  if (problem !== null) terminal.warn(`this is not a valid packet; the server decides: ${safeLine(problem)}`);
  const { id } = await (await client({ team: args.text('team') })).savePacket({ raw, allowUnredacted });
  answer({ id }, safeLine(id));
  return EXIT.ok;
}

export function readAllowed(args: Arguments): AllowUnredacted {
  return args.isOn('allow-unredacted') || (args.list('allow-unredacted') ?? false);
}

/** All of it on stderr; nothing was sent. */
function refuse(
  { terminal, json }: CommandContext,
  [title, ...lines]: readonly string[],
  findings: readonly FieldFinding[] = [],
): number {
  const say = (line: string): void => void terminal.streams.stderr.write(`${line}\n`);
  if (findings.length > 0) {
    say('packet not sent: it seems to contain secrets or private paths');
    for (const finding of findings) say(`  - ${safeLine(describeFinding(finding))}`);
    say(
      'Remove them. To send some of them anyway, name them with --allow-unredacted=FIELD/KIND,…; --allow-unredacted alone allows all of them.',
    );
  }
  const [first, ...rest] = lines.map(safeLine);
  say(`error: ${title}${first === undefined ? '' : `: ${first}`}`);
  for (const line of rest) say(`  ${line}`);
  const message = [title, ...lines].join(': ');
  if (json) terminal.printJson({ error: { code: 'invalid_input', message, findings } });
  return EXIT.failure;
}
