import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { ActionError } from './action-error.tsx';
import { Contained } from './contained.tsx';
import { PageTabs, tabNames } from './page-tabs.tsx';
import { isInTrouble } from '../format/error-story.ts';
import { SessionsTab } from '../sessions/sessions-tab.tsx';
import { hrefOf, type ServerTab } from '../store/route-store.ts';
import { useServer, useServices } from '../services.ts';
import { useEventsOf } from '../charts/use-past-events.ts';
import { ServerCalls } from './server-calls.tsx';
import { ServerConfiguration } from './server-configuration.tsx';
import { ServerHeader } from './server-header.tsx';
import { RestartsTab } from '../restarts/restarts-tab.tsx';
import { ServerLogs } from '../logs/server-logs.tsx';
import { ServerOverview } from './server-overview.tsx';
import styles from './server-page.module.css';

/** Inspector in a chunk of its own, because users open the charts more often. */
const Inspector = lazy(() =>
  import('../inspector/inspector.tsx').then((module) => ({ default: module.Inspector })),
);

interface ServerPageProps {
  readonly name: string;
  readonly tab: ServerTab;
  /** End of a run that a link refers to. */
  readonly asked?: string | undefined;
  /** Whether a link leads to the processes. */
  readonly showsProcesses?: boolean | undefined;
}

/** Page of a server: its state, since when, the reason, and its resource use. */
export function ServerPage({ name, tab, asked, showsProcesses = false }: ServerPageProps) {
  const server = useServer(name);
  const { inspectors } = useServices();
  const events = useEventsOf(name);

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
  const Section = sections[tab];
  const hasCard = tab === 'overview' && isInTrouble(server);
  return (
    <div className={styles.view} data-server={name}>
      <ServerHeader server={server} isCauseTold={hasCard} />
      <div className={styles.notes}>
        <ActionError server={name} hasLines told={hasCard ? server.lastError?.message : undefined} />
      </div>
      <PageTabs server={server} current={tab} />
      <div className={styles.section}>
        <Contained key={tab} subject={`${tabNames[tab]} of ${name}`}>
          <Section {...{ server, asked, showsProcesses, events }} />
        </Contained>
      </div>
    </div>
  );
}

interface SectionProps {
  readonly server: ServerView;
  readonly asked: string | undefined;
  readonly showsProcesses: boolean;
  readonly events: readonly PanelEvent[];
}

/** Sections of the page by tab. */
export const sections: Readonly<Record<ServerTab, (props: SectionProps) => ReactNode>> = {
  overview: ({ server, events, showsProcesses }) => (
    <ServerOverview {...{ server, events, showsProcesses }} />
  ),
  calls: ({ server }) => <ServerCalls name={server.name} />,
  tools: ({ server }) => (
    <Suspense fallback={null}>
      <Inspector server={server} />
    </Suspense>
  ),
  sessions: ({ server }) => <SessionsTab name={server.name} />,
  logs: ({ server }) => <ServerLogs name={server.name} />,
  restarts: ({ server, asked }) => <RestartsTab server={server} asked={asked} />,
  configuration: ({ server }) => <ServerConfiguration name={server.name} />,
};
