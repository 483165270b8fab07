import {
  EXPORT_FORMATS,
  type ExportInput,
  exportObservations,
} from '../../features/sessions/verbs/export-observations.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanName } from '../../model/hidden-characters.ts';
import { INVALID_DAYS, readDays } from './exporting-tools.ts';
import type { ObservationCall } from './observation-routes.ts';

const TYPES = { json: 'application/json', markdown: 'text/markdown; charset=utf-8' };

/** The whole document, written as it is read. */
export async function exportDocument(call: ObservationCall): Promise<Response> {
  const { query } = call;
  const days = readDays(query.get('days'));
  if (days === null) throw new EngineError('invalid_input', INVALID_DAYS);
  const format = query.get('format') || 'json';
  if (!isFormat(format)) throw new EngineError('invalid_input', `format must be one of ${EXPORT_FORMATS.join(', ')}`);
  const includeRaw = ['true', '1'].includes(query.get('include_raw') ?? '');
  const project = cleanName(query.get('project') ?? '') || undefined;
  const lines = await exportObservations.run(call, { project, days, format, includeRaw });
  const body = ReadableStream.from(encode(lines));
  return new Response(body, { headers: { 'Content-Type': TYPES[format] } });
}

function isFormat(text: string): text is NonNullable<ExportInput['format']> {
  return (EXPORT_FORMATS as readonly string[]).includes(text);
}

async function* encode(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}
