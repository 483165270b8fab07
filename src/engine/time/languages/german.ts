import { clockPattern, DAY_FIRST, NUMBERS, ordinalPattern, quarterPattern } from '../time-patterns.ts';
import { MEANINGS, type TimeLanguage, type TimePattern } from '../time-words.ts';

const WEEKDAYS = ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonntag'];
const weekday = (name = '') => ({ kind: 'weekday', weekday: WEEKDAYS.indexOf(name) + 1 }) as const;

/** Montagmorgen, Freitagabend; "Montag morgen" is not tomorrow. */
const WEEKDAY_MORNING: TimePattern = {
  form: new RegExp(`(?<name>${WEEKDAYS.join('|')})\\s?morgen\\b`, 'y'),
  read: ({ groups = {} }) => [weekday(groups.name), MEANINGS.morning],
};
const WEEKDAY_BEFORE_PART: TimePattern = {
  form: new RegExp(`(?<name>${WEEKDAYS.join('|')})(?=(?:vormittag|mittag|nachmittag|abend|nacht)s?\\b)`, 'y'),
  read: ({ groups = {} }) => [weekday(groups.name)],
};

export const GERMAN: TimeLanguage = {
  spaced: true,
  words: {
    'today morning': 'heute morgen',
    'yesterday morning': 'gestern morgen',
    'dayBefore morning': 'vorgestern morgen',
    now: 'jetzt',
    recent: 'kurzlich|neulich|letztens|in letzter zeit',
    last: 'letzte|letzten|letzter|letztes|letztem|vorige|vorigen|voriger|voriges|vergangene|vergangenen|vergangener|vergangenes',
    this: 'in diesem|in dieser|diese|diesen|dieser|dieses|diesem|aktuelle|aktuellen',
    next: 'nachste|nachsten|nachster|nachstes|nachstem|kommende|kommenden|kommender',
    ago: 'vor',
    ahead: 'in',
    second: 'sekunde|sekunden',
    minute: 'minute|minuten',
    'thirty minute': 'eine halbe stunde|einer halben stunde',
    hour: 'stunde|stunden',
    day: 'tag|tage|tagen',
    week: 'woche|wochen',
    weekend: 'wochenende',
    month: 'monat|monate|monaten|monats',
    quarter: 'quartal|quartale|quartalen|quartals',
    year: 'jahr|jahre|jahren|jahres',
    one: 'eine|einer|einem|einen|ein',
    few: 'ein paar|einige|einigen|wenigen|paar',
    morning: 'am morgen|morgens|fruh|vormittag|vormittags|am vormittag',
    noon: 'mittag|mittags',
    afternoon: 'nachmittag|nachmittags',
    evening: 'abend|abends',
    night: 'nacht|nachts',
    midnight: 'mitternacht',
    christmas: 'weihnachten',
    newYear: 'neujahr|silvester',
  },
  numbers: 'eins, zwei, drei, vier, funf, sechs, sieben, acht, neun, zehn, elf, zwolf',
  weekdays: 'montag|mo, dienstag|di, mittwoch|mi, donnerstag|do, freitag|fr, samstag|sonnabend|sa, sonntag|so',
  months: 'januar|janner, februar|feber, marz, april, mai, juni, juli, august, september, oktober, november, dezember',
  days: 'vorgestern, gestern, heute, morgen, ubermorgen',
  seasons: 'fruhling|fruhjahr, sommer, herbst, winter',
  halves:
    'erste halfte|ersten halfte|1. halfte|erstes halbjahr|ersten halbjahr|1. halbjahr|erstes halbes jahr, zweite halfte|zweiten halfte|2. halfte|zweites halbjahr|zweiten halbjahr|2. halbjahr',
  quarters:
    'erstes quartal|ersten quartal|1. quartal, zweites quartal|zweiten quartal|2. quartal, drittes quartal|dritten quartal|3. quartal, viertes quartal|vierten quartal|4. quartal',
  thirds: 'anfang, mitte, ende',
  fillers: 'am|im|in der|in den|der|die|das|den|dem|des|um|wahrend|vom|von|uber|zu|gegen|zur|ganze|ganzen',
  patterns: [
    WEEKDAY_MORNING,
    WEEKDAY_BEFORE_PART,
    clockPattern(/(?<h>\d{1,2})(?:[:.](?<m>\d{2}))?\s?uhr(?:\s(?=\d{2}\b))?/y),
    clockPattern(/um (?<h>\d{1,2})(?![\d:./-]|\s?uhr)/y),
    ...DAY_FIRST,
    quarterPattern(/q\s?(?<n>[1-4])(?!\d)/y),
    ordinalPattern(/(?<n>\d{1,2})\.(?!\d)/y),
    ...NUMBERS,
  ],
  connectors: [
    ['between', /^zwischen (?:dem )?(?<x>.+?) und (?:dem )?(?<y>.+)$/],
    ['between', /^(?:von|vom|ab) (?<x>.+?) bis (?:zum |zur |zu )?(?<y>.+)$/],
    ['since', /^(?:seit|ab) (?:dem |der )?(?<x>.+)$/],
    ['before', /^(?:vor|alter als) (?:dem |der )?(?<x>.+)$/],
    ['after', /^nach (?:dem |der )?(?<x>.+)$/],
    ['until', /^bis (?:zum |zur |zu )?(?<x>.+)$/],
    ['between', /^(?<x>.+?) bis (?:zum |zur |zu )?(?<y>.+)$/],
  ],
};
