import type { ReaderOptions } from './create-document-reader.ts';
import type { DocumentReader } from './document-reader.ts';

/** A reader that is loaded at the first document: most programs never see one. */
export function createLateDocumentReader(options: ReaderOptions): DocumentReader {
  let reader: Promise<DocumentReader> | null = null;
  const load = (): Promise<DocumentReader> => {
    reader ??= import('./create-document-reader.ts').then(({ createDocumentReader }) => createDocumentReader(options));
    return reader;
  };
  return {
    read: async (file) => (await load()).read(file),
    ...(options.urls !== false && {
      fetch: async (url: string, maxBytes: number) => (await load()).fetch!(url, maxBytes),
    }),
    close: async () => (await reader)?.close(),
  };
}
