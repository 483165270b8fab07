/** What is used of the parsers, and no more: their own declarations are hundreds of files, and nothing but these readers needs them. */

declare module 'htmlparser2' {
  interface Handler {
    onopentagname?(name: string): void;
    onopentag?(name: string, attributes: Record<string, string>): void;
    onclosetag?(name: string): void;
    ontext?(text: string): void;
  }

  interface ParserOptions {
    xmlMode?: boolean;
    decodeEntities?: boolean;
    lowerCaseTags?: boolean;
  }

  export class Parser {
    constructor(handler: Handler, options?: ParserOptions);
    /** Its own lists of the tags that are open, the innermost first. */
    readonly stack: unknown[];
    readonly foreignContext: unknown[];
    write(chunk: string): void;
    end(): void;
  }
}

declare module 'unpdf/pdfjs' {
  export interface TextItem {
    str?: string;
    transform?: number[];
    height?: number;
    hasEOL?: boolean;
  }

  export interface BookmarkNode {
    title: string;
    dest: unknown;
    items: BookmarkNode[];
  }

  interface PdfPage {
    getTextContent(): Promise<{ items: TextItem[] }>;
    cleanup(): void;
  }

  export interface PdfDocument {
    readonly numPages: number;
    getPage(number: number): Promise<PdfPage>;
    getMetadata(): Promise<{ info: { Title?: unknown } }>;
    getOutline(): Promise<BookmarkNode[] | null>;
    getDestination(name: string): Promise<unknown[] | null>;
    getPageIndex(ref: unknown): Promise<number>;
  }

  export function getDocument(options: {
    data: Uint8Array;
    disableFontFace: boolean;
    useSystemFonts: boolean;
    verbosity: number;
  }): { promise: Promise<PdfDocument>; destroy(): Promise<void> };
}
