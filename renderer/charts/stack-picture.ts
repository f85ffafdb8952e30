import { formatSpanOfTime } from '../format/moments.ts';
import type { Absence } from './absences.ts';
import type { CallCurve } from './call-curves.ts';
import { crossAt, curveLook, STRIP_BOTTOM_PX, STRIP_TOP_PX } from './curve-look.ts';
import { curvePaths } from './curve-path.ts';
import { peakOf, withStubs, type TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import { limitPlaces } from './limit-places.ts';
import { PLOT_LEFT_PX, PLOT_RIGHT_PX, xOf } from './plot-frame.ts';
import { timeTicks } from './time-ticks.ts';
import type { Curve } from './use-curves.ts';
import { tickLabels } from './value-axis.ts';

/** What a picture of a stack shows. */
export interface StackPicture {
  readonly server: string;
  readonly curves: readonly (Curve | CallCurve)[];
  readonly window: TimeWindow;
  readonly absences: readonly Absence[];
  readonly groups: readonly EventGroup[];
  readonly bucketMs: number;
  readonly width: number;
  readonly heightOf: (curve: Curve) => number;
}

/** Colour of a name such as `--memory`, as the window shows it at the moment. */
export type ColourOf = (name: string) => string;

/** Canvas that a picture is drawn on: the one of the page, or of a test. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'fill'
  | 'fillRect'
  | 'fillStyle'
  | 'fillText'
  | 'font'
  | 'globalAlpha'
  | 'lineTo'
  | 'lineWidth'
  | 'moveTo'
  | 'restore'
  | 'save'
  | 'setLineDash'
  | 'stroke'
  | 'strokeStyle'
  | 'textAlign'
  | 'translate'
>;

const MARGIN_PX = 16;
const HEAD_PX = 40;
const TITLE_PX = 22;
const AXIS_PX = 24;
const FONT = '"Inter Variable", system-ui, sans-serif';

/** Height that the picture takes. */
export const pictureHeight = ({ curves, heightOf }: StackPicture): number =>
  HEAD_PX + curves.reduce((sum, curve) => sum + TITLE_PX + heightOf(curve), 0) + AXIS_PX + MARGIN_PX;

/** Draws a stack with its words, so that the picture says without the window what it shows. */
export function drawStack(pen: Pen, picture: StackPicture, colourOf: ColourOf): void {
  const { server, curves, window, width, heightOf } = picture;
  pen.fillStyle = colourOf('--ground');
  pen.fillRect(0, 0, width, pictureHeight(picture));
  write(pen, { words: server, x: MARGIN_PX, y: 26, colour: colourOf('--text'), font: `600 16px ${FONT}` });
  const span = { words: formatSpanOfTime(window), x: width - PLOT_RIGHT_PX, y: 26, align: 'right' as const };
  write(pen, { ...span, colour: colourOf('--dim') });
  const bottom = pictureHeight(picture) - AXIS_PX - MARGIN_PX;
  drawTimes(pen, picture, bottom, colourOf);
  pen.save();
  pen.translate(0, HEAD_PX);
  for (const curve of curves) {
    drawTitle(pen, curve, colourOf);
    pen.translate(0, TITLE_PX);
    drawCurve(pen, curve, picture, colourOf);
    pen.translate(0, heightOf(curve));
  }
  pen.restore();
}

interface Words {
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly colour: string;
  readonly align?: CanvasTextAlign;
  readonly font?: string;
}

function write(pen: Pen, { words, x, y, colour, align = 'left', font = `12px ${FONT}` }: Words): void {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(words, x, y);
}

function rule(pen: Pen, colour: string, [x1, y1, x2, y2]: readonly [number, number, number, number]): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

/** Times, absences and events, through all curves. */
function drawTimes(pen: Pen, picture: StackPicture, bottom: number, colourOf: ColourOf): void {
  const { window, width, absences, groups } = picture;
  const x = (at: number) => xOf(Math.min(Math.max(at, window.from), window.to), window, width);
  pen.fillStyle = colourOf('--hover');
  for (const { from, to } of absences)
    if (to > window.from && from < window.to)
      pen.fillRect(x(from), HEAD_PX, Math.max(1, x(to) - x(from)), bottom - HEAD_PX);
  for (const { at, label } of timeTicks(window)) {
    rule(pen, colourOf('--line'), [x(at), HEAD_PX, x(at), bottom]);
    write(pen, { words: label, x: x(at), y: bottom + 18, colour: colourOf('--faint'), align: 'center' });
  }
  pen.save();
  pen.globalAlpha = 0.6;
  for (const { x: left, mark } of groups) {
    const place = PLOT_LEFT_PX + left;
    rule(pen, colourOf(`--state-${mark}`), [place, HEAD_PX, place, bottom]);
  }
  pen.restore();
}

function drawTitle(pen: Pen, curve: Curve | CallCurve, colourOf: ColourOf): void {
  const { figure, data } = curve;
  const told = 'told' in curve ? curve.told.join(', ') : `peak ${figure.format(peakOf(data.rows))}`;
  const words = `${figure.title} · ${told}`;
  write(pen, { words, x: PLOT_LEFT_PX, y: 16, colour: colourOf('--text'), font: `500 12px ${FONT}` });
}

function drawCurve(pen: Pen, curve: Curve, picture: StackPicture, colourOf: ColourOf): void {
  const { figure, data, axis, limits, marks = [], bucketMs = picture.bucketMs } = curve;
  const { window, width, heightOf } = picture;
  const baseY = heightOf(curve) - STRIP_BOTTOM_PX;
  const yOf = (value: number) => baseY - (value / axis.top) * (baseY - STRIP_TOP_PX);
  const scale = { xOf: (at: number) => xOf(at, window, width), yOf, baseY };
  for (const [value, label] of tickLabels(axis.ticks, figure.format)) {
    rule(pen, colourOf('--line'), [PLOT_LEFT_PX, yOf(value), width - PLOT_RIGHT_PX, yOf(value)]);
    const place = { x: PLOT_LEFT_PX - 6, y: yOf(value) + 4, align: 'right' as const };
    write(pen, { words: label, ...place, colour: colourOf('--faint') });
  }
  const rows = withStubs(data.rows, bucketMs, window);
  const paths = curvePaths({ ...data, rows }, figure.shape, scale);
  pen.save();
  pen.fillStyle = colourOf(`--${figure.id}`);
  pen.strokeStyle = colourOf(`--${figure.id}`);
  pen.lineWidth = curveLook.strokeWidth;
  fillPath(pen, paths.band, curveLook.bandOpacity);
  fillPath(pen, paths.area, figure.shape === 'blocks' ? curveLook.blockOpacity : curveLook.areaOpacity);
  pen.stroke(new Path2D(paths.line));
  pen.restore();
  pen.save();
  pen.setLineDash([5, 4]);
  for (const { limit, from, to, isWithin } of limitPlaces(limits, axis, window))
    if (isWithin)
      rule(pen, colourOf('--dim'), [scale.xOf(from), yOf(limit.value), scale.xOf(to), yOf(limit.value)]);
  pen.restore();
  for (const { words, to, limit, isWithin } of limitPlaces(limits, axis, window)) {
    const y = isWithin ? yOf(limit.value) - 4 : STRIP_TOP_PX - 2;
    // The words stand at the right end because the title of the curve stands at the left.
    write(pen, { words, x: scale.xOf(to) - 4, y, align: 'right', colour: colourOf('--dim') });
  }
  pen.strokeStyle = colourOf('--state-failed');
  for (const { at, value } of marks) pen.stroke(new Path2D(crossAt(scale.xOf(at), yOf(value))));
}

function fillPath(pen: Pen, path: string, opacity: number): void {
  if (path === '') return;
  pen.globalAlpha = opacity;
  pen.fill(new Path2D(path));
  pen.globalAlpha = 1;
}
