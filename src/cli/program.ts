import { lateFunctions } from '../model/late.ts';
import { VERSION } from '../model/version.ts';
import { loadConfigOnce } from '../settings/config.ts';
import { type Command, type CommandContext, GLOBAL_FLAGS } from './command.ts';
import { describeVersion, PROTOCOL } from './describe-version.ts';
import { makeCompletion, SHELLS } from './make-completion.ts';
import { EXIT, UsageError } from './report-error.ts';
import { showCommandHelp, showOverview } from './show-help.ts';

const { findOwnerToken } = lateFunctions(() => import('../server/prepare-access.ts'), 'findOwnerToken');

export async function completion({ args, terminal, program }: CommandContext): Promise<void> {
  const shell = SHELLS.find((known) => known === args.words[0]);
  if (shell === undefined) throw new UsageError('`ltm completion` needs the name of a shell: bash, zsh or fish.');
  terminal.streams.stdout.write(makeCompletion(shell, await program.commands()));
}

export async function help({ args, terminal, answer, program }: CommandContext): Promise<void> {
  const [name] = args.words;
  if (name === undefined) {
    const commands = await program.commands();
    answer({ commands: commands.map(describe), flags: GLOBAL_FLAGS }, () => showOverview(terminal, commands));
  } else {
    const command = await program.find(name);
    answer(describe(command), () => showCommandHelp(command, terminal));
  }
}

function describe({ name, summary, usage, about, flags, examples }: Command): object {
  return { name, summary, usage, about: about ?? null, flags, examples };
}

export async function version({ answer }: CommandContext): Promise<void> {
  const { node, sqlite = null } = process.versions;
  answer({ version: VERSION, protocol: PROTOCOL, node, sqlite }, describeVersion());
}

/** Calls nobody: which versions there are, the clone's origin knows and not this program. */
export async function update({ terminal, answer }: CommandContext): Promise<void> {
  const commands = { check: 'git pull', update: 'npm install && npm pack && npm install -g ./ltm-*.tgz' };
  answer({ version: VERSION, ...commands }, () => {
    terminal.print(`ltm ${VERSION}`);
    terminal.print('In a clone of the project:');
    terminal.print(`  Is there a newer one?  ${commands.check}`);
    terminal.print(`  Install it:            ${commands.update}`);
    terminal.note('The network was not used, and nothing was changed.');
  });
}

export async function platform({ terminal, answer, sources, server }: CommandContext): Promise<void> {
  const used = await server();
  const { externalUrl, host, port } = loadConfigOnce(sources);
  const url = used ?? externalUrl ?? `http://${host}:${port}`;
  answer({ url }, url);
  if (used === null) terminal.note('This machine. It answers while `ltm serve` runs.');
}

export async function token({ args, terminal, answer, sources }: CommandContext): Promise<number> {
  const { file, value } = await findOwnerToken(loadConfigOnce(sources));
  const isShown = args.isOn('show');
  answer({ file, exists: value !== null, token: isShown ? value : undefined }, () => {
    if (value === null) terminal.note(`There is no token yet. \`ltm serve\` creates it in ${file}.`);
    else terminal.print(isShown ? value : `The owner's token is in ${file}; \`ltm token --show\` prints it.`);
  });
  return value === null ? EXIT.notFound : EXIT.ok;
}
