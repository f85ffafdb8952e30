import { useEffect, useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { ActionError } from './action-error.tsx';
import { EventLog } from '../events/event-log.tsx';
import { PageTabs } from './page-tabs.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { chartSpans } from '../charts/time-axis.ts';
import { tellsLastError } from '../format/state-phrases.ts';
import { Inspector } from '../inspector/inspector.tsx';
import { SessionsTab } from '../sessions/sessions-tab.tsx';
import { hrefOf, type ServerTab } from '../store/route-store.ts';
import { useAction, usePanel, useServer, useServices } from '../services.ts';
import { ServerCharts } from './server-charts.tsx';
import { ServerConfiguration } from './server-configuration.tsx';
import { ServerHeader } from './server-header.tsx';
import { ServerLogs } from '../logs/server-logs.tsx';
import styles from './server-page.module.css';

const LONGEST_SPAN_MS = chartSpans[chartSpans.length - 1]?.spanMs ?? 0;

/** Page of a server: what it is doing, since when, why, and at what cost. */
export function ServerPage({ name, tab }: { readonly name: string; readonly tab: ServerTab }) {
  const server = useServer(name);
  const { filler, clock, inspectors } = useServices();
  const allEvents = usePanel((state) => state.events);
  // Events of no server in particular are included because a sleep of the machine, for example, happened to
  // this one, too.
  const events = useMemo(
    () => allEvents.filter(({ server: whose }) => whose === name || whose === null),
    [allEvents, name],
  );

  useEffect(() => {
    filler.ensure(name, clock.getState().now - LONGEST_SPAN_MS);
  }, [filler, clock, name]);
  useEffect(() => () => inspectors.of(name).leave(), [inspectors, name]);

  if (server === undefined) {
    return (
      <div className={styles.gone}>
        <p>
          There is no server named <strong>{name}</strong>; it may have been removed from servers.json.
        </p>
        <a href={hrefOf({ view: 'servers' })}>Back to all servers</a>
      </div>
    );
  }
  return (
    <div className={styles.view} data-server={name}>
      <ServerHeader server={server} />
      <div className={styles.notes}>
        <ActionError server={name} hasLines />
      </div>
      <PageTabs server={name} current={tab} />
      <div className={styles.section}>
        <Section server={server} tab={tab} events={events} />
      </div>
    </div>
  );
}

interface SectionProps {
  readonly server: ServerView;
  readonly tab: ServerTab;
  readonly events: readonly PanelEvent[];
}

function Section({ server, tab, events }: SectionProps) {
  switch (tab) {
    case 'tools':
      return <Inspector server={server} />;
    case 'sessions':
      return <SessionsTab name={server.name} />;
    case 'logs':
      return <ServerLogs name={server.name} />;
    case 'configuration':
      return <ServerConfiguration name={server.name} />;
    case 'overview':
      return (
        <>
          <LastError server={server} />
          <ServerCharts server={server} events={events} />
          <section className={styles.events}>
            <h2 className={styles.bar}>Events</h2>
            <EventLog
              events={events}
              hasServer={false}
              emptyWords="Nothing has happened to this server yet."
            />
          </section>
        </>
      );
  }
}

/** Last error, which stays after recovery, quieter, because it answers "why did it do that?". */
function LastError({ server }: { readonly server: ServerView }) {
  const { name, state, lastError } = server;
  const action = useAction(name);
  const isShownAbove = action?.phase === 'failed' && action.error.message === lastError?.message;
  if (lastError === undefined || isShownAbove) return null;
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
