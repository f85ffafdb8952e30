import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../../docs/images/growth.svg');
const WIDTH = 880;
const PANEL = { width: 280, left: 34, right: 96, top: 34, bottom: 150, height: 180 };
/** Colours that can be read on white and on black. */
const GREY = '#7d8590';
const COLOURS = ['#2f81f7', '#d1701f', '#8957e5'];

export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [count: number, value: number])[];
}

/**
 * Draws a panel of docs/images/growth.svg anew, where the bench was given `--picture`. The other panels stay as they are, and
 * of this one the counts that were not measured now.
 * @param place from the left, from 0
 */
export function drawGrowth(place: number, title: string, unit: string, measured: readonly Curve[]): void {
  if (!process.argv.includes('--picture')) return;
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n') : [];
  const drawn = (each: number) => lines.find((line) => line.startsWith(`<g id="panel-${each}"`)) ?? '';
  const before = JSON.parse(/ data-curves='(.+?)'/.exec(drawn(place))?.[1] ?? '[]') as readonly Curve[];
  const curves = measured.map(({ name, points }) => {
    const earlier = before.find((one) => one.name === name)?.points ?? [];
    return { name, points: [...new Map([...earlier, ...points])].sort(([one], [other]) => one - other) };
  });
  const panels = [0, 1, 2].map((each) => (each === place ? panel(place, title, unit, curves) : drawn(each)));
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${PANEL.height}" font-family="sans-serif" font-size="11">`;
  writeFileSync(FILE, [open, ...panels, '</svg>', ''].join('\n'));
}

function panel(place: number, title: string, unit: string, curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const [mostX, mostY] = [
    Math.max(...points.map(([x]) => x)),
    niceAbove(Math.max(...points.map(([, y]) => y))),
  ];
  const right = PANEL.width - PANEL.right;
  const atX = (x: number) => Math.round(PANEL.left + (x / mostX) * (right - PANEL.left));
  const atY = (y: number) => Math.round(PANEL.bottom - (y / mostY) * (PANEL.bottom - PANEL.top));
  const text = (x: number, y: number, words: string, look = `fill="${GREY}"`) =>
    `<text x="${x}" y="${y}" ${look}>${words}</text>`;
  const rules = [0, mostY / 2, mostY].map(
    (y) =>
      `<path d="M${PANEL.left} ${atY(y)}H${right}" stroke="${GREY}" stroke-opacity="0.4"/>` +
      text(PANEL.left - 4, atY(y) + 4, String(y), `fill="${GREY}" text-anchor="end"`),
  );
  const counts = [...new Set(points.map(([x]) => x))].filter((x) => x === mostX || x >= mostX / 5);
  const ticks = counts.map((x) =>
    text(atX(x), PANEL.bottom + 16, String(x), `fill="${GREY}" text-anchor="middle"`),
  );
  // Names from the top down, none on another.
  const ends = curves.map(({ points: own }) => atY(own.at(-1)![1]));
  const nameAt = new Map<number, number>();
  for (const end of ends.toSorted((one, other) => one - other))
    nameAt.set(end, Math.max(end, Math.max(0, ...nameAt.values()) + 12));
  const lines = curves.map(({ name, points: own }, index) => {
    const colour = COLOURS[index % COLOURS.length]!;
    const path = own.map(([x, y]) => `${atX(x)} ${atY(y)}`).join('L');
    const dots = own.map(([x, y]) => `<circle cx="${atX(x)}" cy="${atY(y)}" r="2.5" fill="${colour}"/>`);
    const line = `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    return line + dots.join('') + text(right + 6, nameAt.get(ends[index]!)! + 4, name, `fill="${colour}"`);
  });
  const head =
    text(0, 14, title, `fill="${GREY}" font-weight="bold"`) + text(right + 16, PANEL.bottom + 16, unit);
  const inside = [head, ...rules, ...ticks, ...lines].join('');
  return `<g id="panel-${place}" data-curves='${JSON.stringify(curves)}' transform="translate(${place * (WIDTH / 3)})">${inside}</g>`;
}

/** 1, 2 or 5 times a power of ten, or 1.5 times one, that is not below `value`. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 1.5, 2, 3, 5, 10].find((factor) => factor * power >= value)!;
}
