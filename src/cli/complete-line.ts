import type { Command, CommandLine } from './command.ts';

/** A line of the tables as a command, with what its usage says. */
export function completeLine({ usage = '', flags = [], ...line }: CommandLine): Command {
  return { ...readUsage(usage), ...line, usage, flags };
}

/** The first words that shells complete, and how many may follow the name: as many as the longest way of saying it has. */
function readUsage(usage: string): Pick<Command, 'words' | 'maxWords'> {
  const ways = usage.replace(/--\S+( [A-Z:]+)?/g, '').split('|');
  const words = ways.map((way) => way.match(/[^\s[\]]+/g) ?? []);
  return {
    words: words.flatMap(([first = '']) => (/^[a-z]/.test(first) ? [first] : [])),
    maxWords: usage.includes('…') ? Number.POSITIVE_INFINITY : Math.max(...words.map(({ length }) => length)),
  };
}
