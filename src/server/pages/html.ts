/** Markup that is safe as it is. */
export interface Html {
  markup: string;
}

type Piece = string | number | Html | null | readonly Html[];

/** Whatever is put into the text is escaped; only what this function has made before goes in as it is. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { markup: texts.map((text, i) => text + (i < pieces.length ? toMarkup(pieces[i]!) : '')).join('') };
}

function toMarkup(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece));
  if ('markup' in piece) return piece.markup;
  return piece.map(({ markup }) => markup).join('');
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
