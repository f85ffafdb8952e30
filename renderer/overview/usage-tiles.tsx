import { formatDuration } from '../format/durations.ts';
import { useUsage } from './use-usage.ts';
import {
  besideTotal,
  describeUsage,
  legendOf,
  totalOf,
  usageFigures,
  type UsageKind,
} from './usage-words.ts';
import { type KeyboardEvent, memo, useMemo, useState } from 'react';
import { MISSING } from '../format/figures.ts';
import { useShallow } from 'zustand/react/shallow';
import { useColours, usePanel } from '../services.ts';
import { Unseen } from '../ui/page.tsx';
import { hrefOf, serverHref } from '../store/route-store.ts';
import { colourOf } from '../format/server-colours.ts';
import { stackPaths, type UsageStack } from './usage-stack.ts';
import { UsageLegend } from './usage-legend.tsx';
import styles from './usage-tile.module.css';

const kinds: readonly UsageKind[] = ['memory', 'cpu', 'calls'];

/** Tiles for the memory, CPU and calls of all servers, on one time axis. */
export function UsageTiles() {
  const { stacks, restarts, spanMs } = useUsage();
  const span = formatDuration(spanMs);
  return kinds.map((kind) => (
    <UsageTile key={kind} kind={kind} stack={stacks[kind]} restarts={restarts} span={span} />
  ));
}

/** The current totals in one line, where there is no room for tiles. */
export function UsageFigures() {
  const totals = usePanel(
    useShallow(({ servers }) =>
      kinds.map((kind) => usageFigures[kind].short(totalOf(kind, [...servers.values()]))),
    ),
  );
  return (
    <p className={`${styles.figures} flex gap-12 flex-none whitespace-nowrap font-semibold`}>
      {kinds.map((kind, index) => (
        <a key={kind} href={hrefOf({ view: 'usage' })} data-tip={usageFigures[kind].title}>
          <Unseen>{usageFigures[kind].title} </Unseen>
          {totals[index]}
        </a>
      ))}
    </p>
  );
}

const WIDTH = 240;
const HEIGHT = 56;

interface UsageTileProps {
  readonly kind: UsageKind;
  readonly stack: UsageStack;
  readonly restarts: readonly number[];
  /** Text of the span: "1 h". */
  readonly span: string;
}

/**
 * Tile of one figure: its current total, and each server's part of it over time. Every band links to its server, by pointer in
 * the area and by keyboard in the legend.
 */
function UsageTile({ kind, stack, restarts, span }: UsageTileProps) {
  const { title, meaning, short: format } = usageFigures[kind];
  const bands = useMemo(() => stack.bands.map(({ server }) => server), [stack]);
  const [pointed, setPointed] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  const total = usePanel(({ servers }) => format(totalOf(kind, [...servers.values()])));
  const beside = usePanel(({ servers }) => besideTotal(kind, [...servers.values()]));
  const words = usePanel(({ servers }) =>
    describeUsage(kind, { total, beside }, legendOf(kind, bands, servers)),
  );
  const close = () => {
    setOpen(false);
    setPointed(undefined);
  };
  return (
    <section
      className={`${styles.tile} card flex flex-col min-w-0 relative`}
      role="group"
      aria-label={words}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={close}
      onFocus={() => setOpen(true)}
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) leave(event, close);
      }}
    >
      <p
        className={`${styles.head} flex gap-6 flex-none whitespace-nowrap`}
        data-tip={isOpen ? undefined : meaning}
      >
        {kind === 'calls' ? (
          <span className={`${styles.title} label`}>{title}</span>
        ) : (
          <a
            className={`${styles.title} label`}
            href={hrefOf({ view: 'usage' })}
            aria-label={`${title} over time`}
          >
            {title}
          </a>
        )}
        <span className={`${styles.span} flex-none text-12 text-faint`}>{span}</span>
        <span
          className={
            total === MISSING
              ? `${styles.missing} flex-none text-16/24 font-semibold text-faint`
              : `${styles.total} flex-none text-16/24 font-semibold`
          }
        >
          {total}
        </span>
      </p>
      <StackedArea {...{ kind, stack, restarts, pointed }} onPoint={setPointed} />
      {bands.length > 0 && <UsageLegend {...{ kind, bands, pointed, isOpen, beside }} onPoint={setPointed} />}
    </section>
  );
}

/** Closes the legend on Escape and stops the event, because the view would handle it too. */
function leave(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  close();
}

interface StackedAreaProps extends Omit<UsageTileProps, 'span'> {
  /** Index of the band under the pointer or the focus; undefined if there is none. */
  readonly pointed: number | undefined;
  readonly onPoint: (band: number | undefined) => void;
}

const StackedArea = memo(function StackedArea(props: StackedAreaProps) {
  const { kind, stack, restarts, pointed, onPoint } = props;
  const colours = useColours();
  const paths = useMemo(() => {
    const { leastTop } = usageFigures[kind];
    return stackPaths(stack, { width: WIDTH, height: HEIGHT, leastTop, isStepped: kind === 'calls' });
  }, [stack, kind]);
  return (
    <svg
      className={
        pointed === undefined
          ? `${styles.area} block min-h-0 flex-1 w-full`
          : `${styles.area} block min-h-0 flex-1 w-full ${styles.hasPointed}`
      }
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerLeave={() => onPoint(undefined)}
    >
      {stack.bands.map(({ server }, band) => (
        <path
          key={server ?? ''}
          d={paths[band]}
          className={band === pointed ? styles.pointed : styles.band}
          style={{ fill: colourOf(server, colours) }}
          onPointerEnter={() => onPoint(band)}
          onClick={() => {
            if (server !== undefined) window.location.hash = serverHref(server);
          }}
        />
      ))}
      {restarts.map((place) => (
        <g key={place} transform={`translate(${Math.min(WIDTH - 1, place * WIDTH)})`}>
          <path className={styles.moment} d={`M0 0V${HEIGHT}`} />
          <path className={styles.restart} d="M0 0V6" />
        </g>
      ))}
    </svg>
  );
});
