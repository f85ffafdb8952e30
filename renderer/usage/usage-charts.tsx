import { useElementSize } from '@mantine/hooks';
import { useMemo, useState, type KeyboardEvent, type Ref } from 'react';
import { figures } from '../charts/figures.ts';
import { withPastAbsences } from '../charts/absences.ts';
import { figureAtY, TITLE_PX } from '../charts/plot-frame.ts';
import { TimeCursor } from '../charts/time-cursor.tsx';
import { TimeOverlay, type Place } from '../charts/time-overlay.tsx';
import type { SpanWindow } from '../charts/use-span-window.ts';
import { NowMark, TIME_AXIS_PX, TimeGrid } from '../charts/time-grid.tsx';
import { addUp } from '../../shared/server-totals.ts';
import { inRam } from '../format/totals.ts';
import { usePanel, useServices, useView } from '../services.ts';
import { bandAt, expandOthers } from '../overview/usage-stack.ts';
import { serverHref } from '../store/route-store.ts';
import { StackStrip } from './stack-strip.tsx';
import { bandKey, instantsOf, nextBand, stepAtX, wordsAt, type BandKey } from './usage-cursor.ts';
import { UsageList } from './usage-list.tsx';
import { usageMetrics } from './usage-metrics.ts';
import { UsageReadout } from './usage-readout.tsx';
import type { WindowUsage } from './use-span-usage.ts';
import styles from './usage-charts.module.css';

interface UsageChartsProps {
  readonly usage: WindowUsage;
  readonly span: SpanWindow;
  /** Shows every server with its figures. */
  readonly onAll: () => void;
  /** Takes the element that a picture is made of. */
  readonly ref: Ref<HTMLDivElement>;
}

const LEAST_STRIP_PX = 80;

/** Memory and CPU of all servers, stacked, on one time axis with one cursor; beside each who uses how much of it. */
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
  const blockPx = TITLE_PX + stripPx;
  const whole = { window, width, height: 2 * blockPx + TIME_AXIS_PX };
  const absences = useMemo(() => withPastAbsences([], usage.reply.absences), [usage.reply.absences]);
  const axes = useAxes(usage);
  const stacks = useWholeStacks(usage);
  const instants = useMemo(() => instantsOf(usage), [usage]);
  const bandOf = ({ x, y }: Place): BandKey | undefined => {
    const step = stepAtX(x, window, width, usage.reply);
    const metric = usageMetrics[Math.floor(y / blockPx)];
    if (step === undefined || metric === undefined) return undefined;
    const figure = figureAtY((y % blockPx) - TITLE_PX, { axis: axes[metric], height: stripPx });
    const stack = stacks[metric];
    const found = stack.bands[bandAt(stack, step, figure) ?? -1];
    return found && bandKey(found.server);
  };
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
    <div ref={picture} className={styles.charts}>
      <div ref={ref} className={styles.plots} data-charts="usage">
        {width > 0 && (
          <>
            <TimeGrid {...whole} absences={absences} words="shade" />
            {span.liveMs !== undefined && <NowMark {...whole} />}
            {usageMetrics.map((metric) => (
              <div key={metric}>
                <p className={styles.title} style={{ height: TITLE_PX }} data-tip={figures[metric].meaning}>
                  {figures[metric].title}
                  <span>{totalWords(usage, metric)}</span>
                  {metric === 'memoryBytes' && <InRamNow />}
                </p>
                <StackStrip
                  stack={usage.of[metric].stack}
                  slots={usage.slots}
                  axis={axes[metric]}
                  format={figures[metric].short}
                  window={window}
                  width={width}
                  height={stripPx}
                  buckets={usage.reply}
                  pointed={pointed}
                />
              </div>
            ))}
            <TimeOverlay
              {...whole}
              control={span.control}
              isOnServer={band !== undefined}
              onPoint={(place) => setBand(place && bandOf(place))}
              onClick={(place) => open(bandOf(place), onAll)}
            />
            {cursor !== undefined && <UsageReadout {...{ cursor, usage, window, width }} />}
            <TimeCursor
              name="Time cursor of all servers"
              window={window}
              stops={{ instants, groups: [] }}
              words={(instant) => wordsAt({ at: instant, band }, usage)}
              keys="← → time · ↑ ↓ server · Enter opens it · + − zoom · [ ] earlier, later · 1–5 span · Esc"
              control={span.control}
              onKey={onKey}
              onBlur={leave}
            />
          </>
        )}
      </div>
      <div className={styles.lists} style={{ paddingBottom: TIME_AXIS_PX }}>
        {usageMetrics.map((metric) => (
          <UsageList
            key={metric}
            metric={metric}
            usage={usage.of[metric]}
            slots={usage.slots}
            pointed={pointed}
            onPoint={setListed}
            onAll={onAll}
          />
        ))}
      </div>
    </div>
  );
}

/** The server of a band, or all where the band stands for several. */
function open(band: BandKey | undefined, onAll: () => void): void {
  if (band === '') onAll();
  else if (band !== undefined) window.location.hash = serverHref(band);
}

function useAxes({ of }: WindowUsage) {
  return useMemo(
    () => ({
      memoryBytes: figures.memoryBytes.axisFor(of.memoryBytes.total.peak),
      cpuPercent: figures.cpuPercent.axisFor(of.cpuPercent.total.peak),
    }),
    [of],
  );
}

/** Stacks in which each server can be pointed at, with a colour of its own or not. */
function useWholeStacks({ of }: WindowUsage) {
  return useMemo(
    () => ({
      memoryBytes: expandOthers(of.memoryBytes.stack),
      cpuPercent: expandOthers(of.cpuPercent.stack),
    }),
    [of],
  );
}

/** Only the present is known of it, because the history keeps the figures of each server. */
function InRamNow() {
  const words = usePanel(({ servers }) => inRam(addUp([...servers.values()])));
  return words === undefined ? null : <span>now {words}</span>;
}

function totalWords({ of }: WindowUsage, metric: (typeof usageMetrics)[number]): string {
  const { short: format } = figures[metric];
  const { average, peak } = of[metric].total;
  return `average ${format(average)} · peak ${format(peak)}`;
}
