import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../model/errors.ts';
import type { DocumentFile } from './document-reader.ts';
import { readDocument } from './readers/read-document.ts';

/** A thread of its own: a file that takes long or all memory holds up nobody else. */
parentPort?.on('message', async (file: DocumentFile) => {
  try {
    parentPort?.postMessage({ document: await readDocument(file) });
  } catch (error) {
    const { message, code, hint, details } =
      error instanceof EngineError
        ? error
        : {
            message: `${file.name} cannot be read.`,
            code: 'invalid_input',
            hint: undefined,
            details: { reason: 'damaged' },
          };
    parentPort?.postMessage({ failure: { message, code, hint, details } });
  }
});
