import type { KeyboardEvent, PointerEvent } from 'react';
import { ownValue } from '../../shared/own-value.ts';

interface PaneSeparatorProps {
  /** Accessible name, which describes the pane before the separator, for example "Width of the list". */
  readonly name: string;
  /** Id of the pane before the separator. The separator sets its size. */
  readonly pane: string;
  /** Whether the line is horizontal, between an upper and a lower pane. */
  readonly isAcross?: boolean;
  /** Size of the pane before the separator, in percent of both panes, for screen readers. */
  readonly percent: number;
  /** Called with the requested size of the pane before the separator, and with the total size of both panes, in px. */
  readonly onSize: (sizePx: number, wholePx: number) => void;
  /** Called on a double click. */
  readonly onReset: () => void;
}

const STEP_PX = 24;

/** The visible line is 1 px wide; the area that reacts to the pointer is wider. */
const looks = {
  upright: 'w-1 cursor-col-resize after:-inset-x-4 after:inset-y-0',
  across: 'h-1 cursor-row-resize after:inset-x-0 after:-inset-y-4',
};
const LINE =
  'relative z-1 bg-line touch-none after:absolute ' +
  'hover:bg-accent hover:ring hover:ring-accent active:bg-accent active:ring active:ring-accent';

/** Separator between two panes, moved with the pointer or the arrow keys. */
export function PaneSeparator({
  name,
  pane,
  isAcross = false,
  percent,
  onSize,
  onReset,
}: PaneSeparatorProps) {
  const sizesOf = (separator: HTMLElement) => {
    const rectangle = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect();
    const [own, whole] = [rectangle(separator.previousElementSibling), rectangle(separator.parentElement)];
    return isAcross
      ? { start: own.top, size: own.height, whole: whole.height }
      : { start: own.left, size: own.width, whole: whole.width };
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { start, whole } = sizesOf(event.currentTarget);
    onSize((isAcross ? event.clientY : event.clientX) - start, whole);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { size, whole } = sizesOf(event.currentTarget);
    const [less, more] = isAcross ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const steps = { [less]: size - STEP_PX, [more]: size + STEP_PX, Home: 0, End: whole };
    const next = ownValue(steps, event.key);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    onSize(next, whole);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      className={`${LINE} ${looks[isAcross ? 'across' : 'upright']}`}
      aria-label={name}
      aria-controls={pane}
      aria-orientation={isAcross ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={onReset}
      onKeyDown={press}
    />
  );
}
