import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type Ref, useMemo, useState } from 'react';
import { figures } from '../charts/figures.ts';
import { peakOf, type TimeWindow, withPastGaps } from '../charts/downsample.ts';
import { TITLE_PX, xOf } from '../charts/plot-frame.ts';
import { type StackBlock, type StackPoint, TimeStack } from '../charts/time-stack.tsx';
import type { SpanWindow } from '../charts/use-span-window.ts';
import { TIME_AXIS_PX } from '../charts/time-grid.tsx';
import { addUp } from '../../shared/server-totals.ts';
import { inRam } from '../format/totals.ts';
import { useColours, usePanel, useServices, useView } from '../services.ts';
import { bandAt, expandOthers } from '../overview/usage-stack.ts';
import { serverHref } from '../store/route-store.ts';
import { StackStrip } from './stack-strip.tsx';
import {
  bandKey,
  type BandKey,
  usageBandText,
  figuresAt,
  usageInstants,
  nextBand,
  stepOf,
  type UsageCursor,
  usageTextAt,
} from './usage-cursor.ts';
import { UsageList } from './usage-list.tsx';
import { changeWords } from '../format/figures.ts';
import { byMetric, usageMetrics, type UsageMetric } from './span-usage.ts';
import type { WindowUsage } from './use-span-usage.ts';
import styles from './usage-charts.module.css';
import { colourOf } from '../format/server-colours.ts';
import { formatInstant } from '../format/moments.ts';
import { NOT_IN_PICTURES } from '../charts/dom-picture.ts';

interface UsageChartsProps {
  readonly usage: WindowUsage;
  readonly span: SpanWindow;
  /** Called to show the table with every server. */
  readonly onAll: () => void;
  /** Ref of the element that the user can save as a picture. */
  readonly ref: Ref<HTMLDivElement>;
}

const LEAST_STRIP_PX = 80;

/** Charts of memory and CPU of all servers as stacked areas with one time axis and cursor. Each lists its largest users. */
export function UsageCharts({ usage, span, onAll, ref: picture }: UsageChartsProps) {
  const { window } = span;
  const { ref, width, height } = useElementSize();
  const { view } = useServices();
  const at = useView(({ cursorAt, pinnedAt }) => cursorAt ?? pinnedAt);
  const [band, setBand] = useState<BandKey>();
  const [listed, setListed] = useState<BandKey>();
  const cursor = at === undefined ? undefined : { at, band };
  const pointed = cursor?.band ?? listed;
  const stripPx = Math.max(LEAST_STRIP_PX, Math.floor((height - TIME_AXIS_PX) / 2) - TITLE_PX);
  const absences = useMemo(() => withPastGaps([], usage.reply.absences), [usage.reply.absences]);
  const bandOf = useBandOf(usage);
  const instants = useMemo(() => usageInstants(usage), [usage]);
  const blocks = useBlocks({ usage, window, width, pointed, height: stripPx });
  const onKey = ({ key }: KeyboardEvent, pinned: number | undefined): boolean => {
    if (key === 'Enter') open(band, onAll);
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return key === 'Enter';
    span.control.hold();
    view.setState({ pinnedAt: pinned ?? instants.at(-1) });
    setBand(nextBand(pinned === undefined ? undefined : band, usage.of, key === 'ArrowUp' ? 1 : -1));
    return true;
  };
  const leave = () => {
    view.setState({ pinnedAt: undefined });
    setBand(undefined);
  };
  return (
    <div ref={picture} className={styles.charts} data-moment-server={band === '' ? undefined : band}>
      <div ref={ref} className="relative min-w-0 min-h-0 overflow-hidden" data-charts="usage">
        {width > 0 && (
          <TimeStack
            {...{ blocks, window, width, absences, control: span.control }}
            cursor={{
              name: 'Time cursor of all servers',
              stops: { instants, groups: [] },
              words: (instant) => usageTextAt({ at: instant, band }, usage),
              keys: '← → time · ↑ ↓ server · Enter opens it · + − zoom · [ ] earlier, later · 1–7 span · Esc',
              onKey,
              onBlur: leave,
            }}
            isOnServer={band !== undefined}
            onPoint={(point) => setBand(point && bandOf(point))}
            onClick={(point) => open(point && bandOf(point), onAll)}
          >
            {cursor !== undefined && <UsageReadout {...{ cursor, usage, window, width }} />}
          </TimeStack>
        )}
      </div>
      <div className={styles.lists} style={{ paddingBottom: TIME_AXIS_PX }}>
        {usageMetrics.map((metric) => (
          <UsageList
            key={metric}
            {...{ metric, pointed, onAll, usage: usage.of[metric] }}
            onPoint={setListed}
          />
        ))}
      </div>
    </div>
  );
}

/** Opens the server of a band, or the table if the band represents several servers. */
function open(band: BandKey | undefined, onAll: () => void): void {
  if (band === '') onAll();
  else if (band !== undefined) window.location.hash = serverHref(band);
}

interface BlocksInput {
  readonly usage: WindowUsage;
  readonly window: TimeWindow;
  readonly width: number;
  /** Key of the highlighted band; undefined if there is none. */
  readonly pointed: BandKey | undefined;
  /** Height of a chart in px. */
  readonly height: number;
}

const BESIDE_TITLE = 'text-12 font-normal text-dim';

/** Stacked charts, one for each metric. */
function useBlocks({ usage, window, width, pointed, height }: BlocksInput): readonly StackBlock[] {
  const axes = useAxes(usage);
  return usageMetrics.map((metric) => {
    const [axis, { title, meaning, short: format }] = [axes[metric], figures[metric]];
    return {
      ...{ key: metric, axis, meaning, height },
      title: (
        <>
          {title}
          <span className={`flex-none ${BESIDE_TITLE}`}>{totalWords(usage, metric)}</span>
          {metric === 'memoryBytes' && <InRamNow />}
        </>
      ),
      chart: (
        <StackStrip
          {...{ axis, format, window, width, pointed, height }}
          stack={usage.of[metric].stack}
          buckets={usage.reply}
          compared={usage.compared?.[metric].rows}
        />
      ),
    };
  });
}

function useAxes({ of, compared }: WindowUsage) {
  return useMemo(
    () =>
      byMetric((metric) =>
        figures[metric].axisFor(peakOf(compared?.[metric].rows ?? [], of[metric].total.peak)),
      ),
    [of, compared],
  );
}

/** Returns a function that finds the band at a point. The function returns undefined if there is no band. */
function useBandOf(usage: WindowUsage): (point: StackPoint) => BandKey | undefined {
  // The band of the other servers is expanded in these stacks, so that the pointer can find every server, including servers
  // without their own colour.
  const stacks = useMemo(() => byMetric((metric) => expandOthers(usage.of[metric].stack)), [usage.of]);
  return ({ at, block, figure }) => {
    const step = at === undefined || at < usage.reply.from ? undefined : stepOf(at, usage.reply);
    const stack = stacks[usageMetrics[block]!];
    const found = step === undefined ? undefined : stack.bands[bandAt(stack, step, figure) ?? -1];
    return found && bandKey(found.server);
  };
}

/** Memory in RAM. Only shown for the present, because the history has no total of shared memory, only each server's values. */
function InRamNow() {
  const words = usePanel(({ servers }) => inRam(addUp([...servers.values()])));
  if (words === undefined) return null;
  // The text may be truncated, because a narrow chart does not have enough room for it.
  return (
    <span className={`min-w-0 truncate ${BESIDE_TITLE}`} data-tip={`now ${words}`} data-tip-if-cut>
      now {words}
    </span>
  );
}

function totalWords({ of, before }: WindowUsage, metric: UsageMetric): string {
  const { short: format } = figures[metric];
  const { average, peak } = of[metric].total;
  const change = average === undefined ? undefined : changeWords(average, before[metric]);
  return `average ${format(average)}${change === undefined ? '' : ` (${change})`} · peak ${format(peak)}`;
}

const READOUT =
  'absolute top-34 grid grid-cols-[minmax(0,auto)_auto_auto] gap-x-12 gap-y-2 max-w-340 px-8 py-4 pointer-events-none ' +
  'border border-line rounded-md bg-raised [box-shadow:var(--shadow-pop)] [&>span:not(:nth-child(3n+1))]:text-right';

interface UsageReadoutProps {
  readonly cursor: UsageCursor;
  readonly usage: WindowUsage;
  readonly window: TimeWindow;
  readonly width: number;
}

/** Readout at the cursor, on its side with more room: the use of all servers together and of the band under the pointer. */
function UsageReadout({ cursor, usage, window, width }: UsageReadoutProps) {
  const x = xOf(cursor.at, window, width);
  const figures = figuresAt(cursor, usage);
  const { band } = cursor;
  const row = (which: 'all' | 'band') =>
    usageMetrics.map((metric) => <span key={metric}>{figures[metric][which]}</span>);
  const colours = useColours();
  return (
    <div
      className={`${READOUT} whitespace-nowrap text-12/16 text-dim`}
      aria-hidden="true"
      {...{ [NOT_IN_PICTURES]: '' }}
      style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}
    >
      <strong className="font-semibold text-text">{formatInstant(cursor.at, window.to - window.from)}</strong>
      <span>Memory</span>
      <span>CPU</span>
      {band !== undefined && (
        <>
          <span className="flex items-center gap-6 min-w-0 overflow-hidden font-medium text-text">
            <span
              className="swatch"
              style={{ background: colourOf(colours.has(band) ? band : undefined, colours) }}
            />
            {usageBandText(band)}
          </span>
          {row('band')}
        </>
      )}
      <span>All servers</span>
      {row('all')}
      {figures.memoryBytes.compared !== undefined && (
        <>
          <span>All {figures.memoryBytes.compared.words}</span>
          {usageMetrics.map((metric) => (
            <span key={metric}>{figures[metric].compared?.all}</span>
          ))}
        </>
      )}
    </div>
  );
}
