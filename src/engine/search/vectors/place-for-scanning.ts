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
/** Each memory takes room among the process's addresses, however little is in it, and copying little takes little. */
const SMALLEST = 256 * 1024;

const memories = new WeakMap<ArrayBufferLike, WasmMemory>();

export function makeMemory(bytes: number): WasmMemory {
  const pages = Math.ceil((WORKSPACE_BYTES + bytes) / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/** The same bytes where WebAssembly can read them, so that codes and rows among them need not be copied for every search; as they are where they are few. */
export function placeForScanning(bytes: Uint8Array): Uint8Array {
  if (bytes.length < SMALLEST) return bytes;
  try {
    const memory = makeMemory(bytes.length);
    const placed = new Uint8Array(memory.buffer, WORKSPACE_BYTES, bytes.length);
    placed.set(bytes);
    memories.set(memory.buffer, memory);
    return placed;
  } catch (error) {
    // No room among the addresses: they are copied then.
    if (error instanceof RangeError) return bytes;
    throw error;
  }
}

/** The memory that a buffer belongs to; undefined where it is none of WebAssembly's. */
export function memoryOf(buffer: ArrayBufferLike): WasmMemory | undefined {
  return memories.get(buffer);
}
