// Writes the evaluation sets of our own making to evals/data/. Same seed, same files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHATTER, FACT_KINDS, PARTS, type Part, UNANSWERABLE } from './developer-facts.ts';
import { LANGUAGE_FACTS } from './language-facts.ts';
import { makeAssistantChat, makeChineseChat, makeFriendChat } from './make-people.ts';
import { seededRandom, shuffle } from './random.ts';

interface Item {
  id: string;
  text: string;
  s: number;
}
interface Question {
  q: string;
  gold: string[];
  cat: string;
}
export interface Conversation {
  conv: string;
  names: string[];
  items: Item[];
  questions: Question[];
}

const upperFirst = (text: string): string => (text[0] ?? '').toUpperCase() + text.slice(1);

function fill(template: string, part: Part, alias: string): string {
  return upperFirst(template.replaceAll('{p}', part.noted).replaceAll('{a}', alias).replaceAll('{f}', part.file));
}

export function makeProject(name: string, seed: number): Conversation {
  const random = seededRandom(seed);
  const drafts: { text: string; fact: number }[] = [];
  const asked: { q: string; facts: number[]; cat: string }[] = [];
  let fact = 0;
  for (const kind of FACT_KINDS) {
    for (const choice of kind.choices) {
      const facts: number[] = [];
      const general = new Set<string>();
      const parts = shuffle([...PARTS], random).slice(0, 3);
      for (const part of parts) {
        const twice = random() < 0.25;
        const [first, second] = random() < 0.5 ? [0, 1] : [1, 0];
        drafts.push({ text: fill(choice.said[first] as string, part, part.noted), fact });
        if (twice) drafts.push({ text: fill(choice.said[second] as string, part, part.noted), fact });
        facts.push(fact);
        const question = choice.asked[Math.floor(random() * choice.asked.length)] as string;
        const alias = random() < 0.5 ? part.asked : `the ${part.noted}`;
        if (!question.includes('{a}')) general.add(question);
        else if (random() < 0.75) asked.push({ q: fill(question, part, alias), facts: [fact], cat: kind.cat });
        fact++;
      }
      // A question that names no part asks for all that was said of the kind.
      for (const question of general) asked.push({ q: question, facts, cat: kind.cat });
    }
  }
  for (const text of CHATTER) drafts.push({ text, fact: -1 });
  shuffle(drafts, random);
  const items = drafts.map(({ text }, i) => ({ id: `${name}-${i}`, text, s: Math.floor(i / 12) + 1 }));
  const goldOf = (wanted: readonly number[]): string[] =>
    drafts.flatMap((draft, i) => (wanted.includes(draft.fact) ? [`${name}-${i}`] : []));
  const questions = asked.map(({ q, facts, cat }) => ({ q, gold: goldOf(facts), cat }));
  return {
    conv: name,
    names: [],
    items,
    questions: [...questions, ...UNANSWERABLE.map((q) => ({ q, gold: [], cat: 'negative' }))],
  };
}

/** What an English question is about: the same fact is told in several languages, and each telling answers it. */
const TOPICS: readonly RegExp[] = [
  /amount|price|money/,
  /backup/,
  /log-?ins? fail|login fail|sign-in|authentication|log in/i,
  /language|written in|indexer in/,
  /mail/,
  /test/,
  /port\b/,
  /image|ran out of memory/,
  /logged|logs|log files/,
  /deadlock/,
];

function topicOf(english: string): number {
  return TOPICS.findIndex((topic) => topic.test(english));
}

/** One space in which several languages stand side by side, as in the notes of a team. */
export function makeLanguageSet(): Conversation {
  const facts = Object.entries(LANGUAGE_FACTS).flatMap(([language, list]) =>
    list.map(([text, own, english], i) => ({
      id: `${language}-${i}`,
      language,
      text,
      own,
      english,
      topic: topicOf(english),
    })),
  );
  const items = facts.map(({ id, text, language }) => ({
    id,
    text,
    s: Object.keys(LANGUAGE_FACTS).indexOf(language) + 1,
  }));
  const own = facts.map((fact) => ({ q: fact.own, gold: [fact.id], cat: `own-${fact.language}` }));
  const english = [...new Set(facts.map((fact) => fact.english))].map((q) => {
    const asked = facts.filter((fact) => fact.english === q);
    const topic = topicOf(q);
    const gold = topic < 0 ? asked : facts.filter((fact) => fact.topic === topic);
    return { q, gold: gold.map((fact) => fact.id), cat: 'from-english' };
  });
  return { conv: 'languages', names: [], items, questions: [...own, ...english] };
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'data');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, set: Conversation[]): void => {
    writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(set), { level: 9 }));
    console.log(
      `${name}: ${set.length} spaces, ${set.flatMap((c) => c.items).length} items, ${set.flatMap((c) => c.questions).length} questions`,
    );
  };
  write(
    'developer',
    Array.from({ length: 6 }, (_, i) => makeProject(`project-${i + 1}`, 1000 + i)),
  );
  write('languages', [makeLanguageSet()]);
  write(
    'assistant',
    [1, 2, 3, 4, 5, 6].map((n) => makeAssistantChat(`assistant-${n}`, 2000 + n)),
  );
  const pairs = [
    ['Maya', 'Theo'],
    ['Priya', 'Lukas'],
    ['Ines', 'Noah'],
    ['Aisha', 'Ben'],
  ] as const;
  write(
    'friends',
    pairs.map((people, n) => makeFriendChat(`friends-${n + 1}`, people, 3000 + n)),
  );
  const chinese = [
    ['小明', '丽丽'],
    ['张伟', '王芳'],
    ['阿强', '小红'],
  ] as const;
  write(
    'chinese',
    chinese.map((people, n) => makeChineseChat(`chinese-${n + 1}`, people, 4000 + n)),
  );
}
