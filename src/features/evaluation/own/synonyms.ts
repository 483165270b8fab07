/** Everyday and developers' words that people use for one another. Any word of a group may stand for every other word of it. */
const GROUPS = `
fix repair solve, bug defect fault, error failure problem, crash breakdown, use employ, uses employs,
choose pick select, chose picked selected, decided agreed settled, decision choice, start begin launch,
started began launched, stop halt, delete remove erase, deleted removed erased, create make, created made,
add include, change alter modify, changed altered modified, update refresh, fast quick, slow sluggish,
big large, small little, server machine host, database storage, folder directory, file document,
function method routine, setting option configuration, test check, tests checks, deploy release ship,
deployed released shipped, customer client buyer, user person, users people, job task, meeting appointment,
likes enjoys loves, prefers favours, wants wishes, buy purchase, bought purchased, car vehicle, house home,
doctor physician, trip journey, holiday vacation, child kid, children kids, job position, money cash,
salary pay, password secret, login sign-in, key credential, request call, response answer, limit maximum,
timeout deadline, always constantly, requires needs demands, returns yields, before earlier, after later,
because since, company firm, colleague coworker, picture photo, movie film
`;

let table: ReadonlyMap<string, readonly string[]> | null = null;

/** Lower case; empty where none is known. */
export function synonymsOf(word: string): readonly string[] {
  table ??= makeTable();
  return table.get(word.toLowerCase()) ?? [];
}

function makeTable(): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const group of GROUPS.trim().split(/,\s/)) {
    const words = group.split(' ');
    for (const word of words) made.set(word, [...(made.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return made;
}
