import { EngineError } from '../../model/errors.ts';

/** Another process has swapped out a segment that was about to be read: load the index again and start anew. */
export class SegmentGone extends EngineError {
  constructor() {
    super('busy', 'The index was being rewritten; try again.');
  }
}
