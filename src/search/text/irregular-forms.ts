/** Common English forms that no suffix rule brings together; the first of each line stands for the others. Homographs (saw, left, felt, lay) are left out. */
const LINES = `
become became
begin began begun
bite bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
do did done does
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
fight fought
fly flew flown
foot feet
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grow grew grown
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
leaf leaves
lend lent
lose lost
make made
man men
meet met
mouse mice
pay paid
person people
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
sell sold
send sent
shake shook shaken
shoot shot
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
win won
woman women
write wrote written`;

let baseForms: ReadonlyMap<string, string> | null = null;

/** went → go, children → child; other words as they are. */
export function baseForm(word: string): string {
  baseForms ??= readLines();
  return baseForms.get(word) ?? word;
}

/** went, gone, goes, children … */
export function irregularForms(): Iterable<string> {
  baseForms ??= readLines();
  return baseForms.keys();
}

function readLines(): Map<string, string> {
  const forms = new Map<string, string>();
  for (const line of LINES.trim().split('\n')) {
    const [base = '', ...others] = line.split(' ');
    for (const form of others) forms.set(form, base);
  }
  return forms;
}
