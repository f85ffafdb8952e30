import { useMemo, useState, type ReactNode } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { isWithin } from '../charts/chart-cursor.ts';
import { chartFigures } from '../charts/figures.ts';
import { usePastEvents } from '../charts/use-past-events.ts';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { isInTrouble } from '../format/error-story.ts';
import { formatPlural } from '../format/figures.ts';
import { tellsLastError } from '../format/state-phrases.ts';
import { ServerProcesses } from '../processes/server-processes.tsx';
import { useAction } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { actionLeads } from './action-error.tsx';
import { DiagnosisCard } from './diagnosis-card.tsx';
import { ServerCharts } from './server-charts.tsx';
import { ServerSummary } from './server-summary.tsx';
import styles from './server-page.module.css';

interface ServerOverviewProps {
  readonly server: ServerView;
  readonly events: readonly PanelEvent[];
}

interface OverviewProps extends ServerOverviewProps {
  readonly showsProcesses?: boolean;
}

/** Overview of a server: its problem, what there is to say, its charts, its processes, its events. */
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
  const processes = server.transport === 'stdio' && <Processes server={server} isAsked={showsProcesses} />;
  return (
    <>
      <LastError server={server} events={live} />
      <ServerSummary server={server} events={shown} />
      {showsProcesses && processes}
      {isDown ? <FoldedCharts server={server}>{charts}</FoldedCharts> : charts}
      {!showsProcesses && processes}
      <section className={styles.events}>
        <h2 className={styles.bar}>Events in this range</h2>
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

interface ProcessesProps {
  readonly server: ServerView;
  /** Whether a link leads here, so that they are open. */
  readonly isAsked: boolean;
}

/** Processes of a server, collapsed because listing them costs time, and few people need them. */
function Processes({ server, isAsked }: ProcessesProps) {
  const [isOpen, setIsOpen] = useState(isAsked);
  const count = server.sample?.processCount;
  return (
    <details className={styles.fold} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.strip}>
        {count === undefined ? 'Processes' : formatPlural(count, 'process', 'processes')}
      </summary>
      {isOpen && <ServerProcesses server={server} />}
    </details>
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
