import Anser from 'anser';
import { withoutControlSequences } from '../../shared/control-sequences.ts';
import { toPlainText } from './plain-text.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Colours that the panel shows. All others are replaced by the nearest of these, because each must be legible in both themes. */
type TerminalColour = 'grey' | 'red' | 'yellow' | 'green' | 'cyan' | 'blue' | 'magenta';

/** Style of a part of a text. */
export interface TextMark {
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly colour?: TerminalColour;
  /** Marks a part that has a background colour. */
  readonly isBadge?: true;
  readonly isBold?: true;
}

interface StyledText {
  readonly text: string;
  readonly marks?: readonly TextMark[];
}

/** Matches escape sequences that set colours. All other sequences are removed, because they move a terminal's cursor. */
const COLOUR_SEQUENCE = /\u001b\[[\d;]*m/g;
/**
 * Placeholder for the escape character of colour sequences while all other sequences are removed. If this character already
 * occurs in the text, it is replaced beforehand.
 */
const KEPT = '\uffff';

/** Returns the visible text of a line, with its colours. */
export function styledText(raw: string): StyledText {
  if (!raw.includes('\u001b[')) return { text: toPlainText(raw) };
  const parts = Anser.ansiToJson(withColoursOnly(raw), { use_classes: true, remove_empty: true });
  let text = '';
  const marks: TextMark[] = [];
  for (const part of parts) {
    const start = text.length;
    text += toPlainText(part.content);
    const look = lookOf(part);
    if (look !== undefined && text.length > start) marks.push({ start, end: text.length, ...look });
  }
  const plain = toPlainText(raw);
  // The colour parser handles incomplete sequences differently from `toPlainText`. If the two texts differ for this reason, the
  // plain text is returned without colours.
  return marks.length === 0 || text !== plain ? { text: plain } : { text, marks };
}

function withColoursOnly(raw: string): string {
  // A carriage return rewrites a line, as progress bars do, so only the last version is visible.
  const kept = raw.slice(raw.lastIndexOf('\r') + 1).replaceAll(KEPT, '\ufffd');
  const held = kept.replace(COLOUR_SEQUENCE, (sequence) => KEPT + sequence.slice(1));
  return withoutControlSequences(held).replaceAll(KEPT, '\u001b');
}

function lookOf(part: Anser.AnserJsonEntry): Omit<TextMark, 'start' | 'end'> | undefined {
  const ground = hueOf(part.bg, part.bg_truecolor);
  const colour = ground ?? (part.decorations.includes('dim') ? 'grey' : hueOf(part.fg, part.fg_truecolor));
  const isBold = part.decorations.includes('bold');
  if (colour === undefined && !isBold) return undefined;
  return {
    ...(colour !== undefined && { colour }),
    ...(ground !== undefined && { isBadge: true }),
    ...(isBold && { isBold }),
  };
}

const named: Readonly<Record<string, TerminalColour | undefined>> = {
  red: 'red',
  green: 'green',
  yellow: 'yellow',
  blue: 'blue',
  magenta: 'magenta',
  cyan: 'cyan',
  'bright-black': 'grey',
  'bright-red': 'red',
  'bright-green': 'green',
  'bright-yellow': 'yellow',
  'bright-blue': 'blue',
  'bright-magenta': 'magenta',
  'bright-cyan': 'cyan',
};

/** Returns the hue of a colour given by name, index in the 256-colour table, or RGB values; undefined for black and white. */
function hueOf(name: string | null, channels: string | null): TerminalColour | undefined {
  if (name === null) return undefined;
  if (name === 'ansi-truecolor') return nearest((channels ?? '').split(',').map(Number));
  const place = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  return place === undefined
    ? ownValue(named, name.replace('ansi-', ''))
    : nearest(channelsOf(Number(place)));
}

/** Values that a channel can have in the 6 × 6 × 6 colour cube of the 256-colour table. The cube begins at index 16. */
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

function channelsOf(place: number): readonly number[] {
  if (place >= 232) return Array.from({ length: 3 }, () => 8 + (place - 232) * 10);
  const at = place - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => CUBE_STEPS[step] ?? 0);
}

/** Minimum difference between the highest and lowest channel (0 to 255) of a colour. Below it, the colour counts as grey. */
const LEAST_CHROMA = 40;
/** Upper limits of the hues, in degrees. */
const hues: readonly (readonly [to: number, colour: TerminalColour])[] = [
  [20, 'red'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [265, 'blue'],
  [335, 'magenta'],
  [360, 'red'],
];

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): TerminalColour | undefined {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (chroma < LEAST_CHROMA) return most > 60 && most < 200 ? 'grey' : undefined;
  const sixth =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  const degrees = (sixth * 60 + 360) % 360;
  return hues.find(([to]) => degrees <= to)?.[1];
}
