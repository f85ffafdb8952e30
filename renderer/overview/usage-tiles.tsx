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

const kinds: readonly UsageKind[] = ['memory', 'cpu', 'calls'];

/** Tiles for the memory, CPU and calls of all servers, on one time axis. */
export function UsageTiles() {
  const { stacks, restarts, spanMs } = useUsage();
  const span = formatDuration(spanMs);
  return kinds.map((kind) => (
    <UsageTile key={kind} kind={kind} stack={stacks[kind]} restarts={restarts} span={span} />
  ));
}

/** Current totals in one line, for windows without enough space for tiles. */
export function UsageFigures() {
  const totals = usePanel(
    useShallow(({ servers }) =>
      kinds.map((kind) => usageFigures[kind].short(totalOf(kind, [...servers.values()]))),
    ),
  );
  return (
    <p className="flex gap-12 flex-none whitespace-nowrap font-semibold">
      {kinds.map((kind, index) => (
        <a
          key={kind}
          // The click target is 24 px high, even if the value is a dash.
          className="min-w-24 py-2 text-right"
          href={hrefOf({ view: 'usage' })}
          data-tip={usageFigures[kind].title}
        >
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
  /** Length of the time span as text, such as "1 h". */
  readonly span: string;
}

/**
 * Tile of one figure, with its current total and a stacked area of the servers' values over time. Each server's band has a link
 * to the server: in the area for the pointer, in the legend for the keyboard.
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
      className="card relative flex flex-col min-w-0 h-88 has-[a:focus-visible]:[outline:2px_solid_var(--accent)] has-[a:focus-visible]:outline-offset-1"
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
        className="flex flex-none items-baseline gap-6 px-12 pt-4 whitespace-nowrap max-[961px]:px-8"
        data-tip={isOpen ? undefined : meaning}
      >
        {kind === 'calls' ? (
          <span className="label truncate">{title}</span>
        ) : (
          <a
            className="label truncate hover:link hover:text-text"
            href={hrefOf({ view: 'usage' })}
            aria-label={`${title} over time`}
          >
            {title}
          </a>
        )}
        <span className="flex-none text-12 text-faint max-[961px]:hidden">{span}</span>
        <span
          className={`flex-none ml-auto text-16/24 font-semibold ${total === MISSING ? 'text-faint' : ''}`}
        >
          {total}
        </span>
      </p>
      <StackedArea {...{ kind, stack, restarts, pointed }} onPoint={setPointed} />
      {bands.length > 0 && <UsageLegend {...{ kind, bands, pointed, isOpen, beside }} onPoint={setPointed} />}
    </section>
  );
}

/** Closes the legend on Escape. It stops the event, because otherwise the view would handle it too. */
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

/** A line in the background colour separates two bands, so that they can be distinguished without their colours. */
const BAND =
  'stroke-raised stroke-1 cursor-pointer transition-[fill-opacity] duration-80 [vector-effect:non-scaling-stroke]';
const RESTART = 'stroke-backoff pointer-events-none [vector-effect:non-scaling-stroke]';

const StackedArea = memo(function StackedArea(props: StackedAreaProps) {
  const { kind, stack, restarts, pointed, onPoint } = props;
  const colours = useColours();
  const paths = useMemo(() => {
    const { leastTop } = usageFigures[kind];
    return stackPaths(stack, { width: WIDTH, height: HEIGHT, leastTop, isStepped: kind === 'calls' });
  }, [stack, kind]);
  return (
    <svg
      // The area touches the edge of the card, because the card's lower edge is the zero line.
      className="block min-h-0 flex-1 w-full rounded-b-[calc(var(--radius-l)-1px)]"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerLeave={() => onPoint(undefined)}
    >
      {stack.bands.map(({ server }, band) => (
        <path
          key={server ?? ''}
          d={paths[band]}
          className={BAND}
          style={{
            fill: colourOf(server, colours),
            fillOpacity: pointed === undefined ? 0.82 : band === pointed ? 1 : 0.28,
          }}
          onPointerEnter={() => onPoint(band)}
          onClick={() => {
            if (server !== undefined) window.location.hash = serverHref(server);
          }}
        />
      ))}
      {restarts.map((place) => (
        <g key={place} transform={`translate(${Math.min(WIDTH - 1, place * WIDTH)})`}>
          <path className={`${RESTART} stroke-1 opacity-50`} d={`M0 0V${HEIGHT}`} />
          <path className={`${RESTART} stroke-3`} d="M0 0V6" />
        </g>
      ))}
    </svg>
  );
});
