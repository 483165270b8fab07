import { EngineError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json-text.ts';

export interface BertTokenizer {
  /** Ids of a text between the marks of its start and end, `maxTokens` at most. */
  encode(text: string, maxTokens: number): number[];
  padding: number;
}

interface Vocabulary {
  ids: ReadonlyMap<string, number>;
  prefix: string;
  unknown: number;
  longestWord: number;
}

/** Reads a `tokenizer.json` of a BERT model (WordPiece); other kinds are refused. */
export function readBertTokenizer(json: string, where: string): BertTokenizer {
  const file = parseJson(json);
  if (file === undefined) throw new EngineError('embedder_failed', `${where} is not JSON.`);
  const model = isObject(file) ? file.model : undefined;
  const normalizer = isObject(file) ? file.normalizer : undefined;
  if (!isObject(model) || !isObject(model.vocab) || (model.type !== 'WordPiece' && model.type !== undefined))
    throw unsupported(where);
  if (!isObject(normalizer) || normalizer.type !== 'BertNormalizer') throw unsupported(where);
  const ids = new Map(
    Object.entries(model.vocab).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  const idOf = (token: string): number => {
    const id = ids.get(token);
    if (id === undefined) throw unsupported(where);
    return id;
  };
  const vocabulary: Vocabulary = {
    ids,
    prefix: typeof model.continuing_subword_prefix === 'string' ? model.continuing_subword_prefix : '##',
    unknown: idOf(typeof model.unk_token === 'string' ? model.unk_token : '[UNK]'),
    longestWord: typeof model.max_input_chars_per_word === 'number' ? model.max_input_chars_per_word : 100,
  };
  const [start, end, padding] = [idOf('[CLS]'), idOf('[SEP]'), ids.get('[PAD]') ?? 0];
  const normalise = makeNormaliser(normalizer);
  return {
    padding,
    encode(text, maxTokens) {
      const tokens = [start];
      for (const [word] of normalise(text).matchAll(WORD)) {
        addPieces(tokens, word, vocabulary);
        if (tokens.length >= maxTokens) break;
      }
      tokens.length = Math.min(tokens.length, maxTokens - 1);
      tokens.push(end);
      return tokens;
    },
  };
}

const PUNCTUATION = '\\p{P}!-/:-@\\[-`{-~';
/** One sign of punctuation, or a run of everything else that is no white space. */
const WORD = new RegExp(`[${PUNCTUATION}]|[^\\s${PUNCTUATION}]+`, 'gu');
const INVISIBLE = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const MARK = /\p{Mn}/gu;

function makeNormaliser(options: Record<string, unknown>): (text: string) => string {
  const lowers = options.lowercase !== false;
  const strips =
    options.strip_accents === null || options.strip_accents === undefined ? lowers : options.strip_accents === true;
  return (text) => {
    let out = text;
    if (options.clean_text !== false) out = out.replace(INVISIBLE, '');
    if (options.handle_chinese_chars !== false) out = out.replace(CHINESE, ' $& ');
    if (strips) out = out.normalize('NFD').replace(MARK, '');
    return lowers ? out.toLowerCase() : out;
  };
}

/** Greedy longest match; a word that cannot be spelt whole is unknown as a whole. */
function addPieces(tokens: number[], word: string, { ids, prefix, unknown, longestWord }: Vocabulary): void {
  const letters = [...word];
  const first = tokens.length;
  let at = letters.length > longestWord ? -1 : 0;
  while (at !== -1 && at < letters.length) {
    let end = letters.length;
    let id: number | undefined;
    for (; end > at && id === undefined; end--)
      id = ids.get((at === 0 ? '' : prefix) + letters.slice(at, end).join(''));
    if (id !== undefined) tokens.push(id);
    at = id === undefined ? -1 : end + 1;
  }
  if (at !== -1) return;
  tokens.length = first;
  tokens.push(unknown);
}

function unsupported(where: string): EngineError {
  return new EngineError('embedder_failed', `${where} does not describe a BERT tokenizer (WordPiece).`, {
    hint: 'Models such as bge-small, e5-small, all-MiniLM or gte-small have one. Use other models through an embeddings service (embedder openai).',
  });
}
