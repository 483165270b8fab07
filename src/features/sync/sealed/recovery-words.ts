import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../../model/errors.ts';

/** Plain words for secrets that people write down: 512 of them, no two alike in their first four letters. Their order never changes. */
const WORD_LIST: readonly string[] = `
acorn actor album almond amber anchor animal ankle answer apple apron arcade archer arena arrow artist ashore
aspen atlas attic august author autumn avenue axle badge bagel baker bamboo banana banjo barley barn basket
beach beard beaver beetle bell bench berry birch boat bobbin border bottle bowl branch bread breeze brick
bridge broom bucket bugle bumper bureau butter cabin cable cactus cafe camel candle canoe canvas canyon carpet
carrot castle cattle cave cedar celery cellar cement cereal chair chalk cheese cherry chess choir cider cinema
circle citrus clock cloud clover coach coast coffee collar comet copper coral corner cotton cousin cradle
crane crayon crocus crown cymbal daisy dancer dawn deck deer delta denim desert desk dinner doctor domino
donkey dragon drawer dream driver drum duck dune dusk eagle earth easel echo editor elbow elm ember empire
engine fabric falcon family farmer fence fern ferry fiddle field finch finger fisher flag flame flavor flight
flood flower flute foam folder forest fork fossil fox friend frost fruit funnel galaxy garage garden garlic
gate geyser giant ginger glass globe glove goal goat goose grape gravel guest guitar hammer handle harbor
hazel heart helmet herald heron hiker hill hobby honey horse hotel house humor hurdle icicle igloo indigo
insect island ivory ivy jacket jaguar jelly jewel jigsaw judge juice jumper jungle jury kayak kennel kettle
kite kiwi knee knight knot koala ladder lagoon lake lamp laptop larch lawn legend lemon lentil lesson letter
lilac linen lion lizard llama locket lodge lotus lumber lunch lyric magnet mango manual maple marble market
marsh mask meadow medal melody memory metal meteor milk mirror mitten mobile model monkey moon mosaic moth
muffin museum music napkin nature needle nephew nest nickel night noble noodle north novel nurse nutmeg oasis
oboe ocean office olive onion opera orange orbit organ otter oven owl oxygen oyster paddle palace panda paper
parade parcel parrot pasta patio peach peanut pearl pebble pencil pepper piano picnic pigeon pillow pilot pine
pizza planet plum pocket poem polar pond pony poplar poppy porch potato prince prism puddle puppet purple
puzzle quail quartz queen quiet quilt rabbit raccoon radio raft railway rainbow raisin ranger raven recipe
record reef ribbon rice river robin rocket rooster rose rubber ruby runway saddle saffron sailor salad salmon
sandal sauce scarf school scooter season seed seven shadow shelf shirt shovel silk silver singer sister sketch
skier sled sleeve slipper smile snail snow sofa soil sonnet soup south sparrow spider spinach spiral spoon
spring spruce square stadium stair statue stone storm straw street student sugar summer sunset surf swallow
swan sweater swim symbol syrup table tailor talent tango teacher teapot temple tennis tent terrace theater
thimble thread thunder ticket tiger timber toast tomato topaz torch tower tractor trail trumpet tulip tunnel
turkey turtle twelve uncle unicorn uniform urban valley vanilla vase velvet veranda vessel village vine violet
visitor volcano volume voyage waffle wagon waiter walnut walrus water wave weather weaver wedding western
whale wheat wheel whisper willow window winter wisdom wizard wolf wonder wood wool writer yacht yard yarn
yellow yogurt young zebra zenith zipper zodiac
`
  .trim()
  .split(/\s+/);

const SECRET_BYTES = 24;
const CHECK_BYTES = 3;
/** 27 bytes in nine bits each. */
export const WORD_COUNT = 24;
const BITS = 9;
/** As many letters as tell each word from all others. */
const TELLING = 4;

export function newWordSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret as words that people can write down, with a check by which slips are noticed. */
export function toWords(secret: Uint8Array): string[] {
  const bits = [...secret, ...checkOf(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: WORD_COUNT },
    (_, i) => WORD_LIST[Number.parseInt(bits.slice(i * BITS, (i + 1) * BITS), 2)]!,
  );
}

/** Whatever stands between them; the first four letters of each are enough. */
export function fromWords(text: string): Buffer {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length !== WORD_COUNT)
    throw refuse(`There are ${WORD_COUNT} recovery words, and these are ${words.length}.`);
  const numbers = words.map((word, i) => {
    const found = WORD_LIST.findIndex((known) => known === word || isBeginning(word, known));
    if (found === -1) throw refuse(`Word ${i + 1} is none of the recovery words.`);
    return found;
  });
  const bits = numbers.map((number) => number.toString(2).padStart(BITS, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const secret = bytes.subarray(0, SECRET_BYTES);
  if (!checkOf(secret).equals(bytes.subarray(SECRET_BYTES)))
    throw refuse('These words do not fit together: one is wrong, or two have changed places.');
  return secret;
}

function isBeginning(word: string, known: string): boolean {
  return word.length >= TELLING && known.startsWith(word);
}

function checkOf(secret: Uint8Array): Buffer {
  return createHash('sha256').update('ltm recovery words\n').update(secret).digest().subarray(0, CHECK_BYTES);
}

function refuse(message: string): EngineError {
  return new EngineError('invalid_input', message, {
    hint: 'They were shown once, when the space was sealed, or when its words were changed last.',
    details: { field: 'words' },
  });
}
