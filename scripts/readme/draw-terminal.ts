/** Colours of one scheme, chosen for a contrast of 4.5:1 or more on its background. */
interface Scheme {
  background: string;
  bar: string;
  border: string;
  text: string;
  dim: string;
  prompt: string;
  red: string;
  green: string;
  yellow: string;
  cyan: string;
}

export const SCHEMES: Readonly<Record<'light' | 'dark', Scheme>> = {
  light: {
    background: '#ffffff',
    bar: '#f0f2f5',
    border: '#cfd4da',
    text: '#1f2328',
    dim: '#656d76',
    prompt: '#8250df',
    red: '#cf222e',
    green: '#1a7f37',
    yellow: '#8a5a00',
    cyan: '#0969da',
  },
  dark: {
    background: '#0d1117',
    bar: '#161b22',
    border: '#30363d',
    text: '#e6edf3',
    dim: '#8b949e',
    prompt: '#d2a8ff',
    red: '#ff7b72',
    green: '#56d364',
    yellow: '#e3b341',
    cyan: '#79c0ff',
  },
};

const CHAR_WIDTH = 8.43;
const LINE_HEIGHT = 21;
const FONT_SIZE = 14;
const PADDING = 20;
const BAR = 36;
const FONT =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace";
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal is told in between
const STYLES = /\u001b\[(\d+)m/;
const NAMES: Readonly<Record<number, keyof Scheme>> = { 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };

/** A window with these lines, which may hold the codes for styles that the program prints. Text stays text: it can be selected and read aloud. */
export function drawTerminal(
  lines: readonly string[],
  { columns, scheme, title }: { columns: number; scheme: Scheme; title: string },
): string {
  const width = Math.ceil(columns * CHAR_WIDTH + 2 * PADDING);
  const height = BAR + lines.length * LINE_HEIGHT + 2 * PADDING - 6;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${PADDING + 2 + at * 20}" cy="${BAR / 2}" r="6" fill="${colour}"/>`,
  );
  const texts = lines.map((line, at) => drawLine(line, BAR + PADDING + 10 + at * LINE_HEIGHT, scheme));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">
<title>${escapeText(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${scheme.background}" stroke="${scheme.border}"/>
<path d="M1 ${BAR}V10.5a9.5 9.5 0 0 1 9.5-9.5h${width - 21}a9.5 9.5 0 0 1 9.5 9.5V${BAR}z" fill="${scheme.bar}"/>
<path d="M1 ${BAR}h${width - 2}" stroke="${scheme.border}"/>
${dots.join('')}
<g font-family="${FONT}" font-size="${FONT_SIZE}" fill="${scheme.text}">
${texts.filter((text) => text !== '').join('\n')}
</g>
</svg>
`;
}

interface Style {
  colour: keyof Scheme | null;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}

const PLAIN: Style = { colour: null, bold: false, dim: false, underline: false };

function drawLine(line: string, y: number, scheme: Scheme): string {
  const spans: string[] = [];
  let style = PLAIN;
  let column = 0;
  line.split(STYLES).forEach((part, at) => {
    if (at % 2 === 1) style = change(style, Number(part));
    else if (part !== '') {
      // Only what stands between wider gaps: browsers leave out spaces at an edge, and all but one elsewhere.
      for (const run of part.matchAll(/\S+(?: \S+)*/g))
        spans.push(drawSpan(run[0], PADDING + (column + run.index) * CHAR_WIDTH, style, scheme));
      column += [...part].length;
    }
  });
  return spans.length === 0 ? '' : `<text y="${y}">${spans.join('')}</text>`;
}

function change(style: Style, code: number): Style {
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 39) return { ...style, colour: null };
  // One that a terminal does not have: the prompt's.
  if (code === 35) return { ...style, colour: 'prompt' };
  return code === 0 ? PLAIN : { ...style, colour: NAMES[code] ?? null };
}

/** Its place and length are given, so that columns stay columns whatever font a reader has. */
function drawSpan(text: string, x: number, { colour, bold, dim, underline }: Style, scheme: Scheme): string {
  const fill = colour !== null ? scheme[colour] : dim ? scheme.dim : null;
  const attributes = [
    `x="${x.toFixed(1)}"`,
    `textLength="${([...text].length * CHAR_WIDTH).toFixed(1)}"`,
    'lengthAdjust="spacingAndGlyphs"',
    ...(fill === null ? [] : [`fill="${fill}"`]),
    ...(bold ? ['font-weight="600"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
  ];
  return `<tspan ${attributes.join(' ')}>${escapeText(text)}</tspan>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
