import type { z } from 'zod';
import { EngineError } from '../model/errors.ts';
import { RequestProblem } from './error-response.ts';
import { parseInput } from './parse-input.ts';
import { readChunks } from './read-body.ts';
import type { RouteCall } from './route.ts';

/** What a form may take beside the file. */
export const FORM_BYTES = 1 << 16;
/** Each holds a whole file: more of them would add up to more memory than anybody has planned for. */
const MAX_AT_ONCE = 4;

let uploading = 0;

export interface Upload {
  file: { bytes: Uint8Array; mediaType?: string; name?: string };
  fields: Record<string, unknown>;
}

/** The file that a request brings, as its body or as `file` of a form; other entries of the form are fields as in the address. */
export async function readUpload(call: RouteCall, schema: z.ZodObject): Promise<Upload> {
  const type = call.request.headers.get('content-type') ?? '';
  const bytes = await readWhole(call.request, call.maxDocumentBytes);
  if (!/^multipart\/form-data\b/i.test(type)) {
    if (bytes.byteLength > call.maxDocumentBytes) throw tooLarge(call.maxDocumentBytes);
    return { file: { bytes, mediaType: mediaTypeOf(type) }, fields: {} };
  }
  const form = await readForm(bytes, type);
  const files = [...form].filter((entry): entry is [string, File] => typeof entry[1] !== 'string');
  const [first, ...others] = files;
  if (first === undefined || others.length > 0)
    throw new RequestProblem('invalid_input', 'The form must have one file.', {
      hint: 'Send it as the part `file`, with its name.',
      errors: [{ field: 'file', message: first === undefined ? 'is missing' : 'is there more than once' }],
    });
  const [, file] = first;
  if (file.size > call.maxDocumentBytes) throw tooLarge(call.maxDocumentBytes);
  const texts: Record<string, string | string[]> = {};
  for (const [name, value] of form) if (typeof value === 'string') texts[name] = joinValues(texts[name], value);
  return {
    file: { bytes: new Uint8Array(await file.arrayBuffer()), mediaType: mediaTypeOf(file.type), name: file.name },
    fields: { name: file.name, ...parseInput(schema, texts, 'body') },
  };
}

/** A form with any number of files, each within the limit. */
export async function readFiles(request: Request, maxBytes: number): Promise<{ files: File[]; texts: FormData }> {
  const form = await readForm(await readWhole(request, maxBytes), request.headers.get('content-type') ?? '');
  const files = [...form.values()].filter((value): value is File => typeof value !== 'string');
  if (files.some(({ size }) => size > maxBytes)) throw tooLarge(maxBytes);
  return { files, texts: form };
}

function joinValues(before: string | string[] | undefined, value: string): string | string[] {
  return before === undefined ? value : [before, value].flat();
}

async function readWhole(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (uploading >= MAX_AT_ONCE)
    throw new EngineError('busy', 'Other documents are being uploaded.', { hint: 'Try again in a moment.' });
  uploading++;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChunks(request, maxBytes + FORM_BYTES)) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    return new Uint8Array(whole.buffer as ArrayBuffer, whole.byteOffset, whole.byteLength);
  } finally {
    uploading--;
  }
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch (cause) {
    throw new EngineError('invalid_input', 'The form cannot be read.', {
      cause,
      hint: 'Send multipart/form-data, as `curl -F file=@report.pdf` does.',
    });
  }
}

/** What says nothing is as good as nothing. */
function mediaTypeOf(type: string): string | undefined {
  return type === '' || type.startsWith('application/octet-stream') ? undefined : type;
}

function tooLarge(limit: number): EngineError {
  return new EngineError('too_large', `The document is larger than ${limit} bytes.`, {
    hint: 'Split it, or raise the setting max_document_bytes.',
    details: { max_bytes: limit },
  });
}
