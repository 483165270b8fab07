import type { EarlierFile } from '../../settings/settings.ts';

/** Settings that the packet program keeps in `config.toml`, by the names they have here. */
const NAMES: Readonly<Record<string, string>> = {
  host: 'server',
  user: 'user',
  output: 'output',
  lenient: 'lenient',
  editor: 'editor',
};
/** Its file is flat: a name, and a text in quotes or a switch. */
const LINE = /^\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|true|false)\s*(?:#.*)?$/;

/** What the packet program's own file says, for whoever used it before; the config file wins over it. */
export const earlierConfig: EarlierFile = {
  file: 'config.toml',
  read(text) {
    const config: Record<string, unknown> = {};
    for (const line of text.split('\n')) {
      const name = nameIn(line);
      if (name !== undefined) config[name] = readValue(LINE.exec(line)![2]!);
    }
    return config;
  },
  without: (text, name) =>
    text
      .split('\n')
      .filter((line) => nameIn(line) !== name)
      .join('\n'),
};

function nameIn(line: string): string | undefined {
  const name = LINE.exec(line)?.[1]?.toLowerCase();
  return name === undefined ? undefined : NAMES[name];
}

function readValue(raw: string): string | boolean {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return raw.startsWith("'") ? raw.slice(1, -1) : (JSON.parse(raw) as string);
}
