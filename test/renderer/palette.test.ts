import { describe, expect, it } from 'vitest';
import { colourNames } from '../../renderer/format/server-colours.ts';
import {
  seriesShades,
  stateShades,
  surfaces,
  terminalShades,
  type SchemeName,
} from '../../renderer/palette.ts';

type Rgb = readonly [number, number, number];

const schemes: readonly SchemeName[] = ['light', 'dark'];
const shadesOf = (scheme: SchemeName) =>
  Object.entries(stateShades).map(([kind, shade]) => [kind, shade[scheme]] as const);

/** Channels in linear light, 0 to 1. */
function toLinear(hex: string): Rgb {
  const channels = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return channels as unknown as Rgb;
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Contrast by the relative luminance of WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(toLinear(a)), luminance(toLinear(b))].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Deficiencies by Machado, Oliveira and Fernandes 2009, full severity, on linear light. */
const deficiencies: Readonly<Record<string, readonly Rgb[]>> = {
  none: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE Lab under D65. */
function toLab(rgb: Rgb): Rgb {
  const rows: readonly Rgb[] = [
    [0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047],
    [0.2126, 0.7152, 0.0722],
    [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883],
  ];
  const [x, y, z] = multiply(rows, rgb).map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)];
}

function multiply(rows: readonly Rgb[], [a, b, c]: Rgb): Rgb {
  return rows.map((row) => Math.min(1, Math.max(0, row[0] * a + row[1] * b + row[2] * c))) as unknown as Rgb;
}

function difference(a: string, b: string, deficiency: readonly Rgb[]): number {
  const [first, second] = [a, b].map((hex) => toLab(multiply(deficiency, toLinear(hex))));
  return Math.hypot(...first!.map((value, index) => value - second![index]!));
}

const degrees = Math.PI / 180;

/** Difference of two colours as CIEDE2000 has it, by the formulas of Sharma, Wu and Dalal. */
function ciede2000([l1, a1, b1]: Rgb, [l2, a2, b2]: Rgb): number {
  const chroma7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const stretch = 1.5 - 0.5 * Math.sqrt(chroma7 / (chroma7 + 25 ** 7));
  const polar = (a: number, b: number) =>
    [Math.hypot(a * stretch, b), (Math.atan2(b, a * stretch) / degrees + 360) % 360] as const;
  const [c1, h1] = polar(a1, b1);
  const [c2, h2] = polar(a2, b2);
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [light, chroma, hue] = [(l1 + l2) / 2, (c1 + c2) / 2, isGrey ? h1 + h2 : h1 + turn / 2];
  const cos = (times: number, shift: number) => Math.cos((times * hue + shift) * degrees);
  const weight = 1 - 0.17 * cos(1, -30) + 0.24 * cos(2, 0) + 0.32 * cos(3, 6) - 0.2 * cos(4, -63);
  const dL = (l2 - l1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2));
  const dC = (c2 - c1) / (1 + 0.045 * chroma);
  const dH = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * degrees)) / (1 + 0.015 * chroma * weight);
  const blue = Math.exp(-(((((hue + 360) % 360) - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(60 * blue * degrees);
  return Math.sqrt(dL ** 2 + dC ** 2 + dH ** 2 + rotation * dC * dH);
}

const deltaE2000 = (a: string, b: string, deficiency: readonly Rgb[]): number =>
  ciede2000(toLab(multiply(deficiency, toLinear(a))), toLab(multiply(deficiency, toLinear(b))));

it('measures differences of colours as the reference data of CIEDE2000', () => {
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(ciede2000([50, 2.49, -0.001], [50, -2.49, 0.0011])).toBeCloseTo(7.2195, 4);
  expect(ciede2000([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 4);
  expect(ciede2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
});

describe.each(schemes)('the %s scheme', (scheme) => {
  const { sunken, ground, raised, field, hover, accentSoft, hit, text, dim, faint } = surfaces[scheme];
  const { accent, accentHover, onAccent, memory, cpu, noColour, calls, duration } = surfaces[scheme];
  const grounds = [sunken, ground, raised, field, hover, accentSoft];

  it('has text of at least 4.5 : 1 on every ground', () => {
    for (const ink of [text, dim, faint, accent])
      for (const below of grounds)
        expect(contrast(ink, below), `${ink} on ${below}`).toBeGreaterThanOrEqual(4.5);
  });

  it('has colours of logs of at least 4.5 : 1 on every ground of a line', () => {
    for (const [name, colour] of Object.entries(terminalShades[scheme]))
      for (const under of [ground, hover, accentSoft])
        expect(contrast(colour, under), `${name} on ${under}`).toBeGreaterThanOrEqual(4.5);
  });

  it('has a colour for each name of one, none of them a state or below 3 : 1 on any ground', () => {
    const colours = seriesShades[scheme];
    expect(colours).toHaveLength(colourNames.length);
    for (const colour of colours) {
      for (const below of grounds)
        expect(contrast(colour, below), `${colour} on ${below}`).toBeGreaterThanOrEqual(3);
      for (const [kind, shade] of shadesOf(scheme))
        expect(deltaE2000(colour, shade, deficiencies['none']!), `${colour} ${kind}`).toBeGreaterThan(10);
    }
  });

  it.each(Object.entries(deficiencies))('keeps any two servers apart with %s', (_name, deficiency) => {
    const colours = [...seriesShades[scheme], noColour];
    for (const [index, one] of colours.entries())
      for (const other of colours.slice(index + 1))
        expect(deltaE2000(one, other, deficiency), `${one} ${other}`).toBeGreaterThanOrEqual(8);
  });

  it('has words of an error and on the main and the dangerous button of at least 4.5 : 1', () => {
    const failed = stateShades.failed[scheme];
    for (const below of [sunken, ground, raised, hover])
      expect(contrast(failed, below), `${failed} on ${below}`).toBeGreaterThanOrEqual(4.5);
    for (const below of [accent, accentHover])
      expect(contrast(onAccent, below), `${onAccent} on ${below}`).toBeGreaterThanOrEqual(4.5);
  });

  it('has three grounds that are told apart, the highest the lightest', () => {
    const [low, middle, high] = [sunken, ground, raised].map((hex) => luminance(toLinear(hex)));
    expect(low).toBeLessThan(middle!);
    expect(middle).toBeLessThan(high!);
  });

  it('has an accent that is no state', () => {
    for (const [kind, shade] of shadesOf(scheme))
      expect(difference(accent, shade, deficiencies['none']!), kind).toBeGreaterThan(20);
  });

  it.each(Object.entries(deficiencies))('keeps figures of one chart apart with %s', (_name, deficiency) => {
    const inks = [memory, cpu, calls, duration];
    for (const [index, a] of inks.entries())
      for (const b of inks.slice(index + 1))
        expect(difference(a, b, deficiency), `${a} and ${b}`).toBeGreaterThan(10);
  });

  it('shows what a search found, quietly: text on it is read well, and it is told from every ground', () => {
    expect(contrast(text, hit)).toBeGreaterThanOrEqual(7);
    for (const below of [ground, raised, hover]) {
      const apart = difference(hit, below, deficiencies['none']!);
      expect(apart, `${hit} on ${below}`).toBeGreaterThan(20);
      expect(apart, `${hit} on ${below}`).toBeLessThan(45);
    }
  });

  it('has shapes and curves of at least 3 : 1 on every ground', () => {
    const inks = [...shadesOf(scheme).map(([, shade]) => shade), memory, cpu, noColour, calls, duration];
    for (const ink of inks)
      for (const below of grounds)
        expect(contrast(ink, below), `${ink} on ${below}`).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(deficiencies))('keeps good, doubtful and bad apart with %s', (_name, deficiency) => {
    const { running, suspect, failed, stopped, starting } = stateShades;
    const pairs = [
      [running, failed],
      [running, suspect],
      [running, stopped],
      [suspect, failed],
      [starting, running],
      [starting, failed],
    ] as const;
    for (const [a, b] of pairs)
      expect(difference(a[scheme], b[scheme], deficiency), `${a[scheme]} and ${b[scheme]}`).toBeGreaterThan(
        10,
      );
  });
});
