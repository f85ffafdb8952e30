import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { EventKind, PanelEvent, ServerView } from '../../shared/domain.ts';
import { isWithin } from '../charts/chart-cursor.ts';
import { chartFigures } from '../charts/figures.ts';
import { usePastEvents } from '../charts/use-past-events.ts';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { isInTrouble } from '../format/error-story.ts';
import { bestHourWords, formatPlural, MISSING, trendWords } from '../format/figures.ts';
import { tellsLastError } from '../format/state-phrases.ts';
import { ServerProcesses } from '../processes/server-processes.tsx';
import { useAction, useServices, useView } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { actionLeads } from './action-error.tsx';
import { DiagnosisCard } from './diagnosis-card.tsx';
import { ChartReadout } from '../charts/chart-readout.tsx';
import { ChartStack } from '../charts/chart-stack.tsx';
import { SpanBar } from '../charts/span-bar.tsx';
import { useHourOfCalls } from '../charts/use-calls.ts';
import { useOldestAt } from '../charts/use-series.ts';
import { eventGroups, eventLine } from '../format/event-words.ts';
import { formatMoment } from '../format/moments.ts';
import { describePattern } from '../format/pattern-words.ts';

interface ServerOverviewProps {
  readonly server: ServerView;
  /** Events of this server, oldest first. */
  readonly events: readonly PanelEvent[];
}

interface OverviewProps extends ServerOverviewProps {
  readonly showsProcesses?: boolean;
}

/** Overview of a server: its problem, a short summary, its charts, its processes, its events. */
export function ServerOverview({ server, events: live, showsProcesses = false }: OverviewProps) {
  const servers = useMemo(() => [server.name], [server.name]);
  const { window, liveMs } = useSpanWindow(servers);
  const { events } = usePastEvents(server.name, live, window);
  const isStill = liveMs === undefined;
  const shown = useMemo(
    () =>
      events.filter(
        ({ server: of, at }) => of === server.name && (isStill ? isWithin(at, window) : at >= window.from),
      ),
    [events, server.name, isStill, window],
  );
  const isDown = isInTrouble(server);
  const charts = <ServerCharts server={server} events={live} />;
  const count = server.sample?.processCount;
  // The processes are collapsed, because listing them costs time and few users need them.
  const processes = server.transport === 'stdio' && (
    <Fold
      words={() => (count === undefined ? 'Processes' : formatPlural(count, 'process', 'processes'))}
      isOpenAtFirst={showsProcesses}
    >
      <ServerProcesses server={server} />
    </Fold>
  );
  return (
    <>
      <LastError server={server} events={live} />
      <ServerSummary server={server} events={shown} />
      {showsProcesses && processes}
      {/* The charts of a server that is down are collapsed, because they are nearly empty and would push the reason for its
          state out of view. */}
      {isDown ? (
        <Fold
          words={(isOpen) => (isOpen ? 'Hide charts' : 'Show charts')}
          beside={<Figures server={server} />}
        >
          {charts}
        </Fold>
      ) : (
        charts
      )}
      {!showsProcesses && processes}
      {/* The event log is as high as its content, so that only the page has a scrollbar. */}
      <section className="flex flex-col flex-none border-t border-line [&_[role=log]]:overflow-visible!">
        <h2 className="flex items-center flex-none h-28 px-16 label">Events in this range</h2>
        <EventList
          key={isStill ? `${window.from}` : 'live'}
          events={shown}
          hasServer={false}
          emptyWords="Nothing happened in the time shown."
        />
      </section>
    </>
  );
}

interface FoldProps {
  readonly words: (isOpen: boolean) => string;
  readonly isOpenAtFirst?: boolean;
  /** Content shown beside the title until the strip is open. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** Strip that shows its content when opened. The content is not rendered before. */
function Fold({ words, isOpenAtFirst = false, beside, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <div className="flex-none relative border-t border-line">
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="flex items-center h-36 px-16 text-dim hover:text-text">{words(isOpen)}</summary>
        {isOpen && children}
      </details>
      {!isOpen && beside}
    </div>
  );
}

/** Values of the first two charts, shown beside the title while the charts are collapsed. */
function Figures({ server: { name, sample } }: { readonly server: ServerView }) {
  return (
    <p className="absolute top-8 right-16 flex gap-16 text-dim">
      {chartFigures.slice(0, 2).map(({ id, title, format, metric }) => (
        <span key={id}>
          {title}{' '}
          <span role="group" aria-label={`${title} of ${name}`}>
            {format(sample?.[metric])}
          </span>
        </span>
      ))}
    </p>
  );
}

/**
 * Last error of the server. While the server is in trouble, the error is shown at the top as a card. Afterwards it is shown
 * less prominently, because it still explains the past.
 */
function LastError({ server, events }: ServerOverviewProps) {
  const { name, state, lastError } = server;
  const action = useAction(name);
  if (lastError === undefined) return null;
  const isAsked = action?.phase === 'failed' && action.error.message === lastError.message;
  if (isInTrouble(server)) {
    const lead = isAsked ? actionLeads[action.about] : undefined;
    return <DiagnosisCard server={server} error={lastError} events={events} lead={lead} />;
  }
  if (isAsked) return null;
  return (
    <div className="flex-none pt-8 pr-12 pb-6 pl-16">
      <ErrorNote
        error={lastError}
        server={name}
        lead="Last error"
        isTold={tellsLastError(server)}
        isPast={state.kind === 'running'}
        hasLines
        more={{ href: hrefOf({ view: 'server', name, tab: 'logs' }), label: 'Open logs' }}
      />
    </div>
  );
}

const noSamplesYet =
  'Nothing has been measured since the panel started. Curves appear here while it runs; earlier ones are under the longer spans.';

const runsElsewhere =
  'A remote server: its processes run elsewhere. How long it takes to answer is measured instead.';

/** Charts with a choice of the time range. By default they show the last hour, or what has been measured of it. */
export function ServerCharts({ server, events }: ServerOverviewProps) {
  const { history } = useServices();
  const wasCalled = (useHourOfCalls(server)?.buckets.length ?? 0) > 0;
  const servers = useMemo(() => [server.name], [server.name]);
  const wasMeasured = useStore(history.state, () => history.latestAt(server.name) !== undefined);
  const hasHistory = useOldestAt(servers) !== undefined || wasMeasured;
  const shown = useSpanWindow(servers);
  const isChosen = useView(({ span: { choice } }) => choice.kind === 'still' || choice.spanMs !== undefined);

  const isRemote = server.transport !== 'stdio' && server.host === undefined;
  const noFigures = (
    <div className="flex items-center gap-40 flex-none px-16 py-12 text-dim">
      {chartFigures.slice(0, 2).map((figure) => (
        <ChartReadout key={figure.id} figure={figure} server={server.name} latest={MISSING} />
      ))}
      <p>{isRemote ? runsElsewhere : noSamplesYet}</p>
    </div>
  );
  // Calls count as well, because a remote server may have calls long before its first health check.
  const isBare = !hasHistory && !wasCalled && !isChosen;
  return (
    <section aria-label="Charts" className="flex-none relative pt-12 pb-4">
      {isBare && <SpanBar {...shown} bucketMs={undefined} />}
      {(isBare || isRemote) && noFigures}
      {!isBare && <ChartStack server={server} events={events} shown={shown} />}
    </section>
  );
}

const MOST_SENTENCES = 2;

const changes: ReadonlySet<EventKind> = new Set(eventGroups.changes);

/**
 * Summary above the charts: what the restarts of the server have in common, the trend of its memory, and its last change. Only
 * the first two that apply are shown.
 */
function ServerSummary({ server, events }: ServerOverviewProps) {
  const { name, trend } = server;
  const pattern = usePattern(server);
  const change = events.findLast(({ kind }) => changes.has(kind));
  const sentences = [
    pattern !== undefined && (
      <p key="pattern">
        {pattern}.{' '}
        <a className="link" href={hrefOf({ view: 'server', name, tab: 'restarts' })}>
          Why
        </a>
      </p>
    ),
    trend !== undefined && (
      <p key="trend" role="group" aria-label={`Trend of ${name}`}>
        Memory: {trendWords(trend)}
        {trend.bestHour && `; best hour to restart: ${bestHourWords(trend.bestHour)}`}.
      </p>
    ),
    change !== undefined && (
      <p key="change">
        Last change, {formatMoment(change.at)}: {eventLine(change)}
      </p>
    ),
  ].filter(Boolean);
  if (sentences.length === 0) return null;
  return <div className="flex-none px-16 py-8">{sentences.slice(0, MOST_SENTENCES)}</div>;
}

/** Text on what most of the server's restarts have in common; undefined for a server that has not restarted recently. */
function usePattern({ name, restarts24h = 0, unstable }: ServerView): string | undefined {
  const { stories } = useServices();
  const hasRestarted = restarts24h > 0 || unstable !== undefined;
  useEffect(
    () => (hasRestarted ? stories.follow(name) : undefined),
    [stories, name, hasRestarted, restarts24h],
  );
  const first = useStore(stories.state, ({ server, story }) =>
    hasRestarted && server === name ? story?.patterns[0] : undefined,
  );
  return first && describePattern(first);
}
