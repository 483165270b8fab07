import type { LineChanges } from './compare-lines.ts';

export interface FileEdit extends LineChanges {
  path: string;
  /** `written`: the whole text, and nobody says whether there was one before. */
  how: 'edited' | 'created' | 'written' | 'deleted' | 'moved';
}

const FILE_HEAD = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVED = /^\*\*\* Move to: (.+)$/;
const DIFF_OLD = /^--- (?:a\/)?(.+?)(?:\t.*)?$/;
const DIFF_NEW = /^\+\+\+ (?:b\/)?(.+?)(?:\t.*)?$/;
const HUNK = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)? ?(.*)$/;
const HOW = { Add: 'created', Update: 'edited', Delete: 'deleted' } as const;

/** The files of a patch, in the form of `apply_patch` or as a unified diff. */
export function readPatch(patch: string): FileEdit[] {
  const edits: FileEdit[] = [];
  let old = '';
  const begin = (path: string, how: FileEdit['how']) =>
    edits.push({ path: path.trim(), how, added: [], removed: [], before: [] });
  for (const line of patch.split('\n')) {
    const edit = edits.at(-1);
    const head = FILE_HEAD.exec(line);
    const isHead = DIFF_OLD.test(line) && !isInHunk(line, edit);
    if (head !== null) begin(head[2]!, HOW[head[1] as keyof typeof HOW]);
    else if (isHead) old = DIFF_OLD.exec(line)![1]!;
    else if (old !== '' && DIFF_NEW.test(line)) {
      const path = DIFF_NEW.exec(line)![1]!;
      if (path === '/dev/null') begin(old, 'deleted');
      else begin(path, old === '/dev/null' ? 'created' : 'edited');
      old = '';
    } else if (edit !== undefined) readHunkLine(line, edit);
  }
  return edits;
}

/** A removed line of a hunk may look like the head of a file: `--- x` removes `-- x`. */
function isInHunk(line: string, edit: FileEdit | undefined): boolean {
  return edit !== undefined && !/^--- (?:a\/|\/dev\/null)/.test(line);
}

function readHunkLine(line: string, edit: FileEdit): void {
  const moved = MOVED.exec(line);
  const hunk = HUNK.exec(line);
  if (moved !== null) [edit.path, edit.how] = [moved[1]!.trim(), 'moved'];
  else if (hunk !== null) {
    if (hunk[1] !== '' && edit.added.length + edit.removed.length === 0) edit.before.push(hunk[1]!);
  } else if (line.startsWith('+')) edit.added.push(line.slice(1));
  else if (line.startsWith('-')) edit.removed.push(line.slice(1));
  else if (line.startsWith(' ') && edit.added.length + edit.removed.length === 0) edit.before.push(line.slice(1));
}
