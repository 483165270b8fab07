import { crc32 } from 'node:zlib';
import type { Embedder } from '../engine/ports.ts';
import { createPacer } from '../model/turn.ts';
import { cleanText, stripSpeakerLabels } from './static/clean-text.ts';
import { readTable, readTableHeader } from './static/embedding-table.ts';
import { createTextEncoder, type TextEncoder } from './static/text-encoder.ts';

/** Measured: the best match of three in four unanswerable questions lies below 0.2, that of nine in ten answered ones above 0.25. */
const COSINES = { unrelated: 0.15, related: 0.55 };

/** The bundled embedder: a table of vectors for pieces of words, added up. Opening reads only the header; the table is read at the first text. */
export function createStaticEmbedder(path: string): Embedder {
  const header = readTableHeader(path);
  const { dimensions } = header;
  let encoder: TextEncoder | null = null;
  const open = (): TextEncoder => {
    encoder ??= createTextEncoder(readTable(path, header));
    return encoder;
  };
  return {
    id: `${header.name}:${dimensions}@${header.fingerprint}`,
    dimensions,
    cosines: COSINES,
    isImmediate: true,
    async embed(texts) {
      const own = open();
      const vectors: Float32Array[] = [];
      const pace = createPacer();
      for (const text of texts) {
        const waiting = vectors.length === 0 ? undefined : pace();
        if (waiting !== undefined) await waiting;
        vectors.push(embedText(own, text, dimensions));
      }
      return vectors;
    },
    familiarityOf(text) {
      return open().familiarityOf(cleanText(text));
    },
    weighWords(words) {
      const own = open();
      return words.map((word) => weighWord(own.lengthOf(word)));
    },
    async close() {
      encoder?.close();
      encoder = null;
    },
  };
}

/** The length of the vector of a name; that of an article is a fifth of it or less. */
const USUAL_LENGTH = 20;
/** A word that the table spells out is as long as its pieces are many, and says no more for it. */
const MOST = 1.3;
const LEAST = 0.1;
/** Of a word of which the table knows nothing. */
const UNKNOWN = 0.9;

function weighWord(length: number): number {
  return length === 0 ? UNKNOWN : Math.min(MOST, Math.max(LEAST, length / USUAL_LENGTH));
}

function embedText(encoder: TextEncoder, text: string, dimensions: number): Float32Array {
  const vector = encoder.vectorOf(cleanText(stripSpeakerLabels(text)));
  return vector.some((component) => component !== 0) ? vector : ownDirection(text, dimensions);
}

/**
 * A unit vector for a text of which the table knows nothing, such as emoji: the same for the same text, and at about a right angle to any other,
 * so that two such texts are not taken for the same.
 */
function ownDirection(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const size = 1 / Math.sqrt(dimensions);
  let state = crc32(text) || 1;
  for (let i = 0; i < dimensions; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[i] = state < 0 ? -size : size;
  }
  return vector;
}
