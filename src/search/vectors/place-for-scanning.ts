/** The little of the platform's interface that is used here; the compiler's libraries have it for browsers only. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
};

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

const PAGE_BYTES = 65_536;
/** Before what is scanned lies what the loops need: the query, counts, lists. */
export const WORKSPACE_BYTES = PAGE_BYTES;
/** Copying little takes little. */
const SMALLEST = 256 * 1024;
/** Each memory takes ten gigabytes of the process's addresses, however little is in it. Some machines have few hundred. */
const MOST_PLACED = 16;

const memories = new WeakMap<ArrayBufferLike, WasmMemory>();
let placedNow = 0;
const letGo = new FinalizationRegistry<null>(() => placedNow--);
/** Null: nobody has tried yet. */
let hasRoom: boolean | null = null;

export function makeMemory(bytes: number): WasmMemory {
  const pages = Math.ceil((WORKSPACE_BYTES + bytes) / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/** The same bytes where WebAssembly can read them, so that codes and rows among them need not be copied for every search; as they are where they are few, or there is no room. */
export function placeForScanning(bytes: Uint8Array): Uint8Array {
  if (bytes.length < SMALLEST || placedNow >= MOST_PLACED) return bytes;
  hasRoom ??= tryRoom();
  const memory = hasRoom ? tryMemory(bytes.length) : null;
  if (memory === null) return bytes;
  const placed = new Uint8Array(memory.buffer, WORKSPACE_BYTES, bytes.length);
  placed.set(bytes);
  memories.set(memory.buffer, memory);
  placedNow++;
  letGo.register(memory, null);
  return placed;
}

/** Others in the process need some too: where there are not twice as many, none is taken. */
function tryRoom(): boolean {
  const tried = Array.from({ length: 2 * MOST_PLACED }, () => tryMemory(0));
  return tried.every((memory) => memory !== null);
}

function tryMemory(bytes: number): WasmMemory | null {
  try {
    return makeMemory(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The memory that a buffer belongs to; undefined where it is none of WebAssembly's. */
export function memoryOf(buffer: ArrayBufferLike): WasmMemory | undefined {
  return memories.get(buffer);
}
