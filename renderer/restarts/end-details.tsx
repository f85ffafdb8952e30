import { lazy, Suspense, type ReactNode, useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { ChainFact, RunEnd } from '../../shared/restart-story.ts';
import { MomentButton } from '../commands/moment-menu.tsx';
import { RaiseLimit } from '../events/way-out.tsx';
import { eventLine, markOf } from '../format/event-words.ts';
import { formatPlural } from '../format/figures.ts';
import {
  breachOf,
  callWordsOf,
  describeEnd,
  endAsText,
  endFigureWords,
  endOutput,
  type PastFigures,
} from '../format/run-end-words.ts';
import { useServices, useView } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { ClockTime } from '../events/event-time.tsx';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import { figures } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { useSeries } from '../charts/use-series.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/units.ts';

/**
 * The curves are in a separate chunk that is loaded on demand, because the chart library is half of all code and the details of
 * every end are closed at first.
 */
const EndCurves = lazy(() => import('./end-curves.tsx').then((module) => ({ default: module.EndCurves })));

interface EndDetailsProps {
  readonly id: string;
  readonly server: ServerView;
  readonly end: RunEnd;
}

/** Details of the end of a run: its chain of events, the resource use of the run, its last output, lost calls, and its curves. */
export function EndDetails({ id, server, end }: EndDetailsProps) {
  const { name } = server;
  const output = endOutput(end);
  const breach = breachOf(end);
  const before = useTimeBefore(name, end.at);
  const past = before.isAnswered ? figuresBefore(before.reply, end.at) : undefined;
  return (
    <div
      id={id}
      role="group"
      aria-label={`Details: ${describeEnd(end).title}`}
      // `--ground` is the background colour with which drawings outline their texts. Here it is the background of an opened
      // row.
      className="flex flex-col gap-12 pt-4 pr-16 pb-12 pl-24 select-text [--ground:var(--hover)]"
    >
      <Chain facts={end.chain} />
      <Figures figures={end.figures ?? past} isFromHistory={end.figures === undefined} />
      {breach !== undefined && (
        // The padding is removed, because it is meant for the list of events, where this element is below indented text.
        <div className="*:p-0!">
          <RaiseLimit eventId={end.id} breach={breach} server={name} />
        </div>
      )}
      <LostCalls end={end} />
      {output !== undefined && (
        <Part title="Last of stderr">
          <pre
            className="max-h-150 px-8 py-6 border border-line rounded-md bg-raised"
            tabIndex={0}
            aria-label="Last of stderr"
          >
            {output}
          </pre>
        </Part>
      )}
      <Suspense fallback={null}>
        <EndCurves server={server} at={end.at} before={before} />
      </Suspense>
      <div className="flex items-center gap-16">
        <MomentButton at={end.at} server={name} label="This moment in…" />
        <CopyButton name="Copy the details" label="Copy" text={() => endAsText(end, name)} />
      </div>
    </div>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="max-w-860">
    <h3 className="mb-4 text-12/16 text-faint font-medium">{title}</h3>
    {children}
  </div>
);

/** Events that led to the end, the end itself, and its consequences, in a list. */
function Chain({ facts }: { readonly facts: readonly ChainFact[] }) {
  return (
    <ol className="flex flex-col gap-4 max-w-860" aria-label="What happened">
      {facts.map((fact) => (
        <ChainRow key={fact.eventId} fact={fact} />
      ))}
    </ol>
  );
}

/** Row of one event of the chain; it is highlighted together with its mark in the curves. */
function ChainRow({ fact }: { readonly fact: ChainFact }) {
  const { view } = useServices();
  const isPointed = useView(({ pointedEvents }) => pointedEvents.includes(fact.eventId));
  return (
    <li
      className={`flex items-baseline gap-8 data-pointed:bg-hover [&>svg]:self-center ${fact.role === 'end' ? 'font-medium' : 'text-dim'}`}
      data-event={fact.eventId}
      data-pointed={isPointed || undefined}
      onPointerEnter={() => view.setState({ pointedEvents: [fact.eventId] })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
    >
      <ClockTime at={fact.at} />
      <StateShape kind={markOf(fact.kind)} size={12} />
      <span className="min-w-0 wrap-anywhere">{eventLine(fact)}</span>
    </li>
  );
}

interface FiguresProps {
  readonly figures: PastFigures | undefined;
  /** Whether the figures come from the history just before the end, because the event of the end contains none. */
  readonly isFromHistory: boolean;
}

function Figures({ figures: known, isFromHistory }: FiguresProps) {
  const figures = endFigureWords(known);
  if (figures.length === 0) return null;
  return (
    <Part title={isFromHistory ? 'In use shortly before' : 'In use then'}>
      <dl className="flex flex-wrap gap-x-24 gap-y-8">
        {figures.map(({ term, value, limit, isOver }) => (
          <div key={term}>
            <dt className="text-12/16 text-dim">{term}</dt>
            <dd className="font-semibold data-over:text-failed" data-over={isOver || undefined}>
              {value}
            </dd>
            {limit !== undefined && <dd className="text-12/16 text-dim">{limit}</dd>}
          </div>
        ))}
      </dl>
    </Part>
  );
}

const cells = 'align-baseline *:pt-0 *:pr-24 *:pb-2 *:pl-0';

function LostCalls({ end }: { readonly end: RunEnd }) {
  const calls = callWordsOf(end);
  if (calls.length === 0) return null;
  return (
    <Part title="Calls under way">
      <table className="w-auto" aria-label="Calls under way">
        <thead>
          <tr className={cells}>
            <th scope="col">Call</th>
            <th scope="col">Client</th>
            <th scope="col">Running for</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody className="wrap-anywhere">
          {calls.map(({ call, caller, age, isLost }, position) => (
            <tr key={position} className={cells}>
              <td>{call}</td>
              <td>{caller}</td>
              <td>{age}</td>
              <td>{isLost ? 'Lost' : 'No caller waited'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {end.callsLeftOut > 0 && <p className="text-dim">and {formatPlural(end.callsLeftOut, 'more call')}</p>}
    </Part>
  );
}

/** Maximum age in ms at which stored values still count as the values just before the end. */
const MOST_BEFORE_MS = 30 * 60_000;

/**
 * Figures just before the end of a run, from the last bucket that was complete by then, because the bucket of the end may
 * include the next run. Undefined if nothing is stored for that time.
 */
export function figuresBefore(reply: SeriesReply, endAt: number): PastFigures | undefined {
  const { from, stepMs } = reply;
  const found: Partial<Record<HistoryMetric, number>> = {};
  let at = -Infinity;
  for (const { metric, index, avg } of reply.series) {
    const last = index.findLastIndex((bucket) => from + (bucket + 1) * stepMs <= endAt);
    const bucketAt = last === -1 ? -Infinity : from + index[last]! * stepMs;
    if (endAt - bucketAt > Math.max(MOST_BEFORE_MS, stepMs)) continue;
    found[metric] = avg[last]!;
    at = Math.max(at, bucketAt);
  }
  const { memoryBytes, cpuPercent, openFiles, processCount } = found;
  if (memoryBytes === undefined && cpuPercent === undefined) return undefined;
  const limits = reply.limits.findLast((one) => one.from <= endAt);
  return {
    at,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(cpuPercent !== undefined && { cpuPercent }),
    ...(openFiles !== undefined && { openFiles }),
    ...(processCount !== undefined && { processCount }),
    ...(limits && { limits }),
  };
}

const MAX_BUCKETS = 240;
const metrics = Object.values(figures).map(({ metric }) => metric);

/** Resource use in the minutes before the end of a run. */
function useTimeBefore(server: string, at: number) {
  const { clock } = useServices();
  const window = useMemo(() => windowBefore(at, clock.getState().now), [at, clock]);
  const servers = useMemo(() => [server], [server]);
  return { window, ...useSeries({ servers, metrics, window, maxBuckets: MAX_BUCKETS }) };
}

/** Milliseconds for which one-minute buckets are kept; older figures are in buckets of 15 minutes. */
const MINUTES_KEPT_MS = 7 * DAY_MS;

/**
 * Time range of the curves for the end of a run: some time before the end and a little after it. The range is longer if the
 * history has only 15-minute buckets left for that time.
 */
export function windowBefore(at: number, now: number): TimeWindow {
  const isFine = now - at < MINUTES_KEPT_MS - MINUTE_MS;
  const beforeMs = isFine ? 10 * MINUTE_MS : DAY_MS / 4;
  return { from: Math.max(0, at - beforeMs), to: at + beforeMs / 10 };
}
