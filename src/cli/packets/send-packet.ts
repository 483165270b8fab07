import { type AllowUnredacted, describeFinding, type PacketFinding } from '../../model/packet-record.ts';
import { loadConfig } from '../../server/config.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../read-arguments.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';

/** Checks, searches for secrets, and only then opens a connection. Prints the packet's id. */
export async function sendPacket(context: CommandContext, raw: Uint8Array<ArrayBuffer>): Promise<number> {
  const { args, terminal, json, sources, client } = context;
  const allowUnredacted = readAllowed(args);
  const { inspectPacket } = await import('../../server/packet-forms.ts');
  const { problem, findings } = inspectPacket(raw, allowUnredacted);
  const isLenient = args.isOn('lenient') || loadConfig(sources).lenient;
  if (problem !== null && !isLenient)
    return refuse(terminal, json, { title: 'packet rejected', lines: problem.split('\n') });
  if (findings.length > 0) return refuseFindings(terminal, json, findings);
  if (problem !== null) terminal.warn(`this is not a valid packet; the server decides: ${safeLine(problem)}`);
  const { id } = await (await client({ team: args.text('team') })).savePacket({ raw, allowUnredacted });
  if (json) terminal.printJson({ id });
  else terminal.print(safeLine(id));
  return EXIT.ok;
}

export function readAllowed(args: Arguments): AllowUnredacted {
  return args.isOn('allow-unredacted') || (args.list('allow-unredacted') ?? false);
}

function refuseFindings(terminal: Terminal, json: boolean, findings: readonly PacketFinding[]): number {
  const lines = [
    'packet not sent: it seems to contain secrets or private paths',
    ...findings.map((finding) => `  - ${describeFinding(finding)}`),
    'Remove them. To send some of them anyway, name them with --allow-unredacted=FIELD/KIND,…; --allow-unredacted alone allows all of them.',
  ];
  return refuse(terminal, json, { title: 'redaction failed', above: lines, findings });
}

interface Refusal {
  title: string;
  above?: readonly string[];
  /** Follow the title. */
  lines?: readonly string[];
  findings?: readonly PacketFinding[];
}

/** All of it on stderr; nothing was sent. */
function refuse(terminal: Terminal, json: boolean, { title, above = [], lines = [], findings = [] }: Refusal): number {
  const [first, ...rest] = lines;
  const { stderr } = terminal.streams;
  for (const line of above) stderr.write(`${showLine(line)}\n`);
  stderr.write(`error: ${title}${first === undefined ? '' : `: ${safeLine(first)}`}\n`);
  for (const line of rest) stderr.write(`  ${safeLine(line)}\n`);
  const message = [title, ...lines].join(': ');
  if (json) terminal.printJson({ error: { code: 'invalid_input', message, findings } });
  return EXIT.failure;
}

function showLine(line: string): string {
  return line.startsWith('  ') ? `  ${safeLine(line)}` : safeLine(line);
}
