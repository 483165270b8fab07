import type { Config } from '../../settings/config.ts';
import { createDocumentReader } from './create-document-reader.ts';
import type { DocumentReader } from './document-reader.ts';

export function openDocumentReader({ ingestUrls }: Config): DocumentReader {
  return createDocumentReader({ urls: ingestUrls });
}
