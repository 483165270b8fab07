import type { Conversation } from './make-sets.ts';
import { CHINESE_SMALL_TALK, CHINESE_TOPICS, REACTIONS, SMALL_TALK, TOPICS } from './people-facts.ts';
import { seededRandom, shuffle } from './random.ts';

type Draft = { text: string; fact: number };

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;
const upperFirst = (text: string): string => (text[0] ?? '').toUpperCase() + text.slice(1);

/** Someone and an assistant that answers at length: the short statement is the evidence, the long answer beside it is not. */
export function makeAssistantChat(name: string, seed: number): Conversation {
  const random = seededRandom(seed);
  const sessions: Draft[][] = [];
  const questions: { q: string; fact: number }[] = [];
  for (const [fact, topic] of shuffle([...TOPICS], random).entries()) {
    const value = pick(topic.values, random);
    const told = pick(topic.told, random).replace('{v}', value);
    const ask = SMALL_TALK.length === 0 ? '' : 'Any advice?';
    const answer = shuffle([...topic.advice], random)
      .map((sentence, i) => `${i + 1}. ${sentence}`)
      .join('\n');
    const more = shuffle([...topic.advice], random).join(' ');
    sessions.push([
      { text: `User: ${pick(SMALL_TALK, random)}`, fact: -1 },
      { text: `User: ${told} ${ask}`.trim(), fact },
      {
        text: `Assistant: Thanks for sharing! Here are some thoughts that may help you.\n${answer}\nLet me know if you would like to go deeper into any of these points.`,
        fact: -1,
      },
      { text: 'User: Thanks. Can you say that in one paragraph?', fact: -1 },
      {
        text: `Assistant: Of course. ${more} In short, take it step by step and do not hesitate to ask again.`,
        fact: -1,
      },
    ]);
    questions.push({ q: upperFirst(pick(topic.asked, random).replace('{who}', 'my')), fact });
  }
  return assemble(
    name,
    ['User', 'Assistant'],
    sessions,
    questions.map((question) => ({ ...question, cat: 'assistant' })),
  );
}

/** Two people who write short messages; what one of them tells is asked with the name. */
export function makeFriendChat(name: string, people: readonly [string, string], seed: number): Conversation {
  const random = seededRandom(seed);
  const sessions: Draft[][] = [];
  const questions: { q: string; fact: number; cat: string }[] = [];
  let fact = 0;
  for (const topic of shuffle([...TOPICS], random)) {
    const values = shuffle([...topic.values], random);
    for (const [who, speaker] of people.entries()) {
      if (random() < 0.25) continue;
      const other = people[1 - who] as string;
      const told = pick(topic.told, random).replace('{v}', values[who] as string);
      const session: Draft[] = Array.from({ length: 4 + Math.floor(random() * 4) }, (_, i) => ({
        text: `${people[i % 2]}: ${pick(SMALL_TALK, random)}`,
        fact: -1,
      }));
      session.splice(
        2,
        0,
        { text: `${speaker}: ${told}`, fact },
        { text: `${other}: ${pick(REACTIONS, random)}`, fact: -1 },
      );
      sessions.push(session);
      questions.push({
        q: upperFirst(pick(topic.asked, random).replace('{who}', `${speaker}'s`)),
        fact,
        cat: 'friends',
      });
      fact++;
    }
  }
  return assemble(name, [...people], shuffle(sessions, random), questions);
}

export function makeChineseChat(name: string, people: readonly [string, string], seed: number): Conversation {
  const random = seededRandom(seed);
  const sessions: Draft[][] = [];
  const questions: { q: string; fact: number; cat: string }[] = [];
  let fact = 0;
  for (const topic of shuffle([...CHINESE_TOPICS], random)) {
    const values = shuffle([...topic.values], random);
    for (const [who, speaker] of people.entries()) {
      const other = people[1 - who] as string;
      const told = pick(topic.told, random).replace('{v}', values[who] as string);
      sessions.push([
        { text: `${other}：${pick(CHINESE_SMALL_TALK, random)}`, fact: -1 },
        { text: `${speaker}：${told}`, fact },
        { text: `${other}：${pick(topic.advice, random)}`, fact: -1 },
        { text: `${speaker}：${pick(CHINESE_SMALL_TALK, random)}`, fact: -1 },
      ]);
      questions.push({ q: pick(topic.asked, random).replace('{who}', speaker), fact, cat: 'chinese' });
      fact++;
    }
  }
  return assemble(name, [...people], shuffle(sessions, random), questions);
}

function assemble(
  name: string,
  names: string[],
  sessions: readonly Draft[][],
  questions: readonly { q: string; fact: number; cat: string }[],
): Conversation {
  const turns = sessions.flatMap((session, s) => session.map((draft) => ({ ...draft, s: s + 1 })));
  const items = turns.map(({ text, s }, i) => ({ id: `${name}-${i}`, text, s }));
  const goldOf = (fact: number): string[] => turns.flatMap((turn, i) => (turn.fact === fact ? [`${name}-${i}`] : []));
  return { conv: name, names, items, questions: questions.map(({ q, fact, cat }) => ({ q, gold: goldOf(fact), cat })) };
}
