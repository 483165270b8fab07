/// <reference path="./parsers.d.ts" />
import { Parser } from 'htmlparser2';
import { boundOpenTags } from '../bound-open-tags.ts';
import type { Archive } from './unzip.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** A stream of tags: it takes no stack, and it knows no entities but XML's own five, so that a document can neither name a file nor grow by naming itself. */
export function parseXml(xml: Buffer, { open, close, text }: XmlHandler): void {
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        boundOpenTags(parser);
        open?.(name, attributes);
      },
      onclosetag: (name) => close?.(name),
      ontext: text,
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml.toString('utf8'));
  parser.end();
}

/** The title that a document of this family gives itself; null where it gives none. */
export function readTitle(archive: Archive, part = 'docProps/core.xml'): string | null {
  const xml = archive.read(part);
  if (xml === null) return null;
  let inTitle = false;
  let title = '';
  parseXml(xml, {
    open(name) {
      inTitle = name === 'dc:title';
    },
    text(text) {
      if (inTitle) title += text;
    },
    close() {
      inTitle = false;
    },
  });
  return title.trim() || null;
}

/** What the ids in a part stand for, as names of other parts. */
export function readRelations(archive: Archive, part: string): Map<string, string> {
  const folder = part.slice(0, part.lastIndexOf('/'));
  const xml = archive.read(`${folder}/_rels/${part.slice(folder.length + 1)}.rels`);
  const relations = new Map<string, string>();
  if (xml === null) return relations;
  parseXml(xml, {
    open(name, { Id = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      relations.set(Id, new URL(Target, `zip:///${folder}/`).pathname.slice(1));
    },
  });
  return relations;
}
