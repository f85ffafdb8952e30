import { memo, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { SHOW_TIP } from '../ui/tooltip-layer.tsx';
import { groupBy } from '../../shared/group-by.ts';
import type { CellKind, DayCell } from './day-cells.ts';
import type { TimeWindow } from './downsample.ts';

interface CellBarProps {
  readonly cells: readonly DayCell[];
  /** Accessible name of the bar. */
  readonly name: string;
  /** Text about the whole bar, which screen readers read while no cell is selected. */
  readonly words: string;
  /** Server that the bar is about. The context menu of a time on the bar needs it. */
  readonly server?: string;
  /** Returns the text of a cell. */
  readonly tipOf: (cell: DayCell) => string;
  /** Called to go to the time of a cell. */
  readonly onGo: (cell: DayCell) => void;
  /** Called to show a time window that was selected by dragging; undefined if nothing can be selected. */
  readonly onSelect?: (window: TimeWindow) => void;
}

/**
 * Bar of cells over time; a click goes to the time of a cell. For the keyboard, it is a slider whose value text is the same as
 * the tip at the pointer: the left and right arrow keys move between cells, and Enter goes to the cell's time.
 */
export function CellBar({ cells, name, words, server, tipOf, onGo, onSelect }: CellBarProps) {
  const [at, setAt] = useState<number>();
  const [pressedAt, setPressedAt] = useState<number>();
  const wasDrag = useRef(false);
  const pointed = at === undefined ? undefined : cells[at];
  const [first = 0, last = 0] = [pressedAt ?? at, at].toSorted((a, b) => Number(a) - Number(b));
  const press = (event: KeyboardEvent) => {
    const next = movedTo(event.key, at, cells.length);
    if (next !== undefined) setAt(next);
    else if (event.key === 'Enter' && pointed) onGo(pointed);
    else return;
    event.preventDefault();
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    const to = indexAt(cells, event);
    setPressedAt(undefined);
    if (pressedAt === undefined || to === undefined || to === pressedAt) return;
    wasDrag.current = true;
    onSelect?.({ from: cells[Math.min(pressedAt, to)]!.from, to: cells[Math.max(pressedAt, to)]!.to });
  };
  return (
    <span
      role="slider"
      tabIndex={0}
      className="relative flex w-full h-20 cursor-pointer"
      data-control="day"
      data-moment={pointed?.from}
      data-moment-server={server}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, cells.length - 1)}
      aria-valuenow={at ?? Math.max(0, cells.length - 1)}
      aria-valuetext={pointed ? tipOf(pointed) : words}
      onKeyDown={press}
      onBlur={() => setAt(undefined)}
      onPointerDown={(event) => {
        wasDrag.current = false;
        if (onSelect === undefined || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setPressedAt(indexAt(cells, event));
      }}
      onPointerMove={(event) => setAt(indexAt(cells, event))}
      onPointerLeave={() => setAt(undefined)}
      onPointerUp={release}
      onPointerCancel={() => setPressedAt(undefined)}
      onClick={(event) => {
        const index = indexAt(cells, event);
        const cell = index === undefined ? undefined : cells[index];
        event.preventDefault();
        if (cell && !wasDrag.current) onGo(cell);
      }}
    >
      <Cells cells={cells} />
      {pointed && <Pointed from={first / cells.length} to={(last + 1) / cells.length} tip={tipOf(pointed)} />}
    </span>
  );
}

function movedTo(key: string, at: number | undefined, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  // If no cell is selected yet, the first arrow key selects the newest one.
  return at === undefined ? count - 1 : Math.min(count - 1, Math.max(0, at + (key === 'ArrowLeft' ? -1 : 1)));
}

interface PointedProps {
  /** Left edge of the mark as a fraction of the bar's width; `to` is the right edge. */
  readonly from: number;
  readonly to: number;
  readonly tip: string;
}

/** Mark of the cell selected with the pointer or the keys, or of the cells selected by dragging, with the tip beside it. */
function Pointed({ from, to, tip }: PointedProps) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.dispatchEvent(new Event(SHOW_TIP, { bubbles: true }));
  }, [tip]);
  return (
    <i
      ref={mark}
      className="absolute inset-y-0 bg-dim/30"
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      data-tip={tip}
      aria-hidden="true"
    />
  );
}

const HEIGHT = 20;
const FOOT = 5;

/** Draws one path per kind of cell, not per cell, so that a list of a hundred servers has only a few hundred path elements. */
const Cells = memo(function Cells({ cells }: { readonly cells: readonly DayCell[] }) {
  const paths = groupBy([...cells.keys()], (index) => cells[index]?.kind ?? 'off');
  return (
    <svg
      className="size-full"
      viewBox={`0 0 ${cells.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {[...paths].map(([kind, at]) => (
        <path key={kind} className={colours[kind]} d={at.map((index) => shapes[kind](index)).join('')} />
      ))}
    </svg>
  );
});

const colours: Readonly<Record<CellKind, string>> = {
  failed: 'fill-failed',
  stalled: 'fill-stalled',
  backoff: 'fill-backoff',
  suspect: 'fill-suspect',
  running: 'fill-[color-mix(in_srgb,var(--state-running)_55%,var(--ground))]',
  ...{ asleep: 'fill-faint', off: 'fill-faint', stopped: 'fill-faint' },
};

const bar = (top: number) => (x: number) => `M${x + 0.1} ${HEIGHT}V${top}h.8V${HEIGHT}z`;
/** Shape of each kind of cell, so that the kinds can be distinguished without their colours. */
const shapes: Readonly<Record<CellKind, (x: number) => string>> = {
  ...{ failed: bar(0), stalled: bar(3), backoff: bar(6), suspect: bar(9), running: bar(HEIGHT - FOOT) },
  asleep: bar(HEIGHT - FOOT),
  off: (x) => `M${x + 0.1} ${HEIGHT}l.4 -${FOOT}h.3l-.4 ${FOOT}z`,
  stopped: () => '',
};

interface Pointer {
  readonly currentTarget: HTMLElement;
  readonly clientX: number;
}

/** Returns the index of the cell below the pointer, or the nearest during a drag outside; undefined for a bar without width. */
function indexAt(cells: readonly DayCell[], { currentTarget, clientX }: Pointer): number | undefined {
  const { left, width } = currentTarget.getBoundingClientRect();
  const index = Math.floor(((clientX - left) / width) * cells.length);
  return Number.isNaN(index) ? undefined : Math.min(cells.length - 1, Math.max(0, index));
}
