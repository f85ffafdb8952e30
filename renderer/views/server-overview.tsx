import { useMemo, useState, type ReactNode } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { isWithin } from '../charts/chart-cursor.ts';
import { chartFigures } from '../charts/figures.ts';
import { usePastEvents } from '../charts/use-past-events.ts';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { isInTrouble } from '../format/error-story.ts';
import { tellsLastError } from '../format/state-phrases.ts';
import { bestHourWords, trendWords } from '../format/trend-words.ts';
import { useAction } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { actionLeads } from './action-error.tsx';
import { DiagnosisCard } from './diagnosis-card.tsx';
import { ServerCharts } from './server-charts.tsx';
import styles from './server-page.module.css';

interface ServerOverviewProps {
  readonly server: ServerView;
  readonly events: readonly PanelEvent[];
}

/** Overview of a server: its problem, its charts, its events. */
export function ServerOverview({ server, events }: ServerOverviewProps) {
  const isDown = isInTrouble(server);
  const charts = <ServerCharts server={server} events={events} />;
  return (
    <>
      <LastError server={server} events={events} />
      <TrendLine server={server} />
      {isDown ? <FoldedCharts server={server}>{charts}</FoldedCharts> : charts}
      <section className={styles.events}>
        <h2 className={styles.bar}>Events</h2>
        <ShownEvents server={server} events={events} />
      </section>
    </>
  );
}

/** Trend of the memory, and the best hour to restart, above the charts. */
function TrendLine({ server: { name, trend } }: { readonly server: ServerView }) {
  if (trend === undefined) return null;
  return (
    <p role="group" aria-label={`Trend of ${name}`} className={styles.trend}>
      Memory: {trendWords(trend)}.
      {trend.bestHour && ` Best hour to restart: ${bestHourWords(trend.bestHour)}.`}
    </p>
  );
}

/** Events as far as they are known, or those of the time range if the charts show a fixed one. */
function ShownEvents({ server, events: live }: ServerOverviewProps) {
  const servers = useMemo(() => [server.name], [server.name]);
  const { window, liveMs } = useSpanWindow(servers);
  const { events } = usePastEvents(server.name, live, window);
  const isStill = liveMs === undefined;
  const from = Math.min(window.from, live[0]?.at ?? Infinity);
  const shown = useMemo(
    () => events.filter(({ at }) => (isStill ? isWithin(at, window) : at >= from)),
    [events, isStill, window, from],
  );
  return (
    <EventList
      key={isStill ? `${window.from}` : 'live'}
      events={shown}
      hasServer={false}
      emptyWords={
        isStill ? 'Nothing happened in the time shown.' : 'Nothing has happened to this server yet.'
      }
    />
  );
}

/** Charts of a server that is down, collapsed because they are nearly empty and push the reason away. */
function FoldedCharts({ server, children }: { readonly server: ServerView; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.fold}>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={styles.strip}>{isOpen ? 'Hide charts' : 'Show charts'}</summary>
        {isOpen && children}
      </details>
      {!isOpen && <Figures server={server} />}
    </div>
  );
}

/** Two most important figures, shown beside the collapsed charts. */
function Figures({ server: { name, sample } }: { readonly server: ServerView }) {
  return (
    <p className={styles.figures}>
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

/** Last error: at the top while the server is in trouble; later less prominent, because it still explains the past. */
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
    <div className={styles.notes}>
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
