/** Sessions as an agent writes them: prompts, replies, calls of tools and what these gave back, in words that vary as they do in prose and code. */

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi wo za zu'.split(
    ' ',
  );
const WORDS = 30_000;
/** What slices are taken from: long enough that no two of a piece are the same. */
const POOL_CHARS = 8 << 20;

export interface SessionMaker {
  /** About this many bytes of JSON lines; what a person says in it first, and one line that a tool gave back, hold words that no other session has. */
  make(session: number, bytes: number): Buffer;
  saidWord(session: number): string;
  toolWord(session: number): string;
}

export function createSessionMaker(seed = 1): SessionMaker {
  const random = createRandom(seed);
  const words = Array.from({ length: WORDS }, () => {
    const length = 1 + Math.floor(random() * 3 + random() * 2);
    return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  });
  // A few words make up most of a text, as in every language.
  const pick = (): string => words[Math.floor(WORDS * random() ** 4)]!;
  const [prose, code] = [fillPool(() => `${pick()} `), fillPool(() => codeLine(pick, random))];
  const slice = (pool: string, chars: number): string => {
    const from = Math.floor(random() * (pool.length - chars));
    return pool.slice(from, from + chars);
  };
  const saidWord = (session: number): string => `quokka${session}q`;
  const toolWord = (session: number): string => `wombat${session}w`;
  const turn = (base: object, i: number, marks: { said: string; tool: string }): object[] => {
    const chars = (least: number, most: number): number => least + Math.floor((most - least) * random() ** 2);
    const at = (n: number): object => ({ ...base, uuid: `${i}-${n}-${Math.floor(random() * 1e9)}` });
    const user = (n: number, content: unknown, more = {}): object => ({
      type: 'user',
      ...at(n),
      message: { role: 'user', content },
      ...more,
    });
    const agent = (n: number, content: unknown): object => ({
      type: 'assistant',
      ...at(n),
      message: { role: 'assistant', model: 'a-model', content: [content] },
    });
    const lines = [user(0, `${marks.said}${slice(prose, chars(60, 500))}`)];
    for (let n = 1; n < 13; n += 3) {
      lines.push(agent(n, { type: 'text', text: slice(prose, chars(80, 600)) }));
      lines.push(
        agent(n + 1, {
          type: 'tool_use',
          id: `t${i}.${n}`,
          name: 'Edit',
          input: { file_path: `/work/src/${pick()}.ts`, new_string: slice(code, chars(100, 3000)) },
        }),
      );
      lines.push(
        user(
          n + 2,
          [
            {
              type: 'tool_result',
              tool_use_id: `t${i}.${n}`,
              content: `${marks.tool}${slice(code, chars(500, 30_000))}`,
            },
          ],
          { toolUseResult: true },
        ),
      );
    }
    return lines;
  };
  return {
    saidWord,
    toolWord,
    make(session, bytes) {
      const parts: string[] = [];
      let size = 0;
      for (let i = 0; size < bytes; i++) {
        const timestamp = new Date(Date.UTC(2026, 0, 1) + session * 3_600_000 + i * 60_000).toISOString();
        const base = {
          sessionId: `session-${session}`,
          cwd: '/work/shop',
          version: '2.0.1',
          gitBranch: 'main',
          timestamp,
        };
        const marks = {
          said: i === 0 ? `Please look at ${saidWord(session)} ` : '',
          tool: i === 1 ? `${toolWord(session)} ` : '',
        };
        for (const line of turn(base, i, marks)) {
          const text = `${JSON.stringify(line)}\n`;
          size += text.length;
          parts.push(text);
        }
      }
      return Buffer.from(parts.join(''));
    },
  };

  function fillPool(next: () => string): string {
    const parts: string[] = [];
    for (let size = 0; size < POOL_CHARS; ) {
      const part = next();
      parts.push(part);
      size += part.length;
    }
    return parts.join('');
  }
}

function codeLine(pick: () => string, random: () => number): string {
  const depth = '  '.repeat(Math.floor(random() * 4));
  const number = Math.floor(random() * 1e6);
  const forms = [
    () => `${depth}const ${pick()} = await ${pick()}.${pick()}(${pick()}, ${number});\n`,
    () => `${depth}if (${pick()} !== ${pick()}) return { ${pick()}: '${pick()} ${pick()}' };\n`,
    () => `src/${pick()}/${pick()}.ts:${number % 900}:${number % 80} - error: ${pick()} ${pick()} ${pick()}\n`,
    () => `${depth}// ${pick()} ${pick()} ${pick()} ${pick()} ${pick()}\n`,
    () =>
      `2026-03-0${1 + (number % 9)}T1${number % 10}:00:00Z INFO ${pick()} ${number.toString(16)} ${pick()}=${pick()}\n`,
  ];
  return forms[Math.floor(random() * forms.length)]!();
}
