/** Just enough of WebAssembly's binary format to write functions of our own by hand (webassembly.github.io/spec, "Binary Format"). */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;

/** Instructions in their order; lists within lists are joined when the module is written. */
export type Code = readonly (number | Code)[];

export interface WasmFunction {
  name: string;
  params: readonly number[];
  results: readonly number[];
  /** Numbered after the parameters. */
  locals: readonly number[];
  body: Code;
}

/** A module of these functions, all exported, over one memory that it is given as `env.memory`. */
export function writeModule(functions: readonly WasmFunction[], pages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params, results }) => [0x60, list(params), list(results)]);
  const memory = [text('env'), text('memory'), 0x02, 0x00, unsigned(pages)];
  const exported = functions.map(({ name }, i) => [text(name), 0x00, unsigned(i)]);
  const bodies = functions.map(({ locals, body }) => sized([list(locals.map((type) => [1, type])), body, 0x0b]));
  const numbers = functions.map((_, i) => unsigned(i));
  const sections = [
    section(1, types),
    section(2, [memory]),
    section(3, numbers),
    section(7, exported),
    section(10, bodies),
  ];
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...sections.flat()]);
}

function section(id: number, items: Code): number[] {
  return [id, ...sized(list(items))];
}

/** With its length in bytes before it. */
function sized(code: Code): number[] {
  const bytes: number[] = [];
  collect(code, bytes);
  return [...unsigned(bytes.length), ...bytes];
}

function collect(code: Code, bytes: number[]): void {
  for (const each of code) {
    if (typeof each === 'number') bytes.push(each);
    else collect(each, bytes);
  }
}

function list(items: Code): Code {
  return [unsigned(items.length), items];
}

function text(name: string): Code {
  return list([...name].map((letter) => letter.charCodeAt(0)));
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const last = value >= -64 && value < 64;
  return last ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

type Unary = (a: Code) => Code;
type Binary = (a: Code, b: Code) => Code;
const unary =
  (...operation: Code): Unary =>
  (a) => [a, operation];
const binary =
  (...operation: Code): Binary =>
  (a, b) => [a, b, operation];
/** Vector instructions have numbers above 127, in LEB128. */
const simd = (number: number): Code => (number < 128 ? [0xfd, number] : [0xfd, (number & 127) | 128, number >>> 7]);

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [value, 0x21, local];
export const number = (value: number): Code => [0x41, signed(value)];

export const add = binary(0x6a);
export const multiply = binary(0x6c);
export const or = binary(0x72);
export const shiftLeft = binary(0x74);
export const isLess = binary(0x49);
export const isAtMost = binary(0x4d);

/** Reads and writes at an address plus a fixed offset. */
type Load = (at: Code, offset: number) => Code;
const loadWith =
  (align: number, ...operation: Code): Load =>
  (at, offset) => [at, operation, align, unsigned(offset)];
export const loadByte = loadWith(0, 0x2d);
export const load = loadWith(2, 0x28);
export const loadVector = loadWith(4, simd(0));
export const store = (at: Code, offset: number, value: Code): Code => [at, value, 0x36, 2, unsigned(offset)];

export const when = (condition: Code, then: Code): Code => [condition, 0x04, 0x40, then, 0x0b];
/** Runs at least once. */
export const repeatWhile = (condition: Code, body: Code): Code => [0x03, 0x40, body, condition, 0x0d, 0, 0x0b];

export const loadLong = loadWith(3, 0x29);
export const xorLong = binary(0x85);
export const countLong = unary(0x7b);
export const addLong = binary(0x7c);
/** The lower 32 bits. */
export const shorten = unary(0xa7);

export const addInts = binary(simd(174));
/** The lower and the upper eight of sixteen signed bytes as 16-bit numbers. */
export const lowBytes = unary(simd(135));
export const highBytes = unary(simd(136));
/** Products of 16-bit numbers, summed in pairs to 32 bits. */
export const dotShorts = binary(simd(186));
export const lane = (a: Code, index: number): Code => [a, simd(27), index];
export const zeroVector = (): Code => [simd(12), Array<number>(16).fill(0)];
