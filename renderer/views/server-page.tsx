import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { ActionError } from './action-error.tsx';
import { Contained } from './failure-card.tsx';
import { isInTrouble } from '../format/error-story.ts';
import { SessionsTab } from '../sessions/sessions-tab.tsx';
import { hrefOf, type ServerTab, serverTabs } from '../store/route-store.ts';
import { useRoute, useServer, useServices } from '../services.ts';
import { useEventsOf } from '../charts/use-past-events.ts';
import { ServerConfiguration } from './server-configuration.tsx';
import { ServerHeader } from './server-header.tsx';
import { RestartsTab } from '../restarts/restarts-tab.tsx';
import { ServerOverview } from './server-overview.tsx';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { CallUsageTable } from '../usage/call-usage.tsx';
import type { LogQuery } from '../store/log-query.ts';
import { LogView } from '../logs/log-view.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { formatCount, restartsMeaning } from '../format/figures.ts';
import { Unseen } from '../ui/page.tsx';

/** The inspector is in a separate chunk, because users open the charts more often. */
const Inspector = lazy(() =>
  import('../inspector/inspector.tsx').then((module) => ({ default: module.Inspector })),
);

interface ServerPageProps {
  readonly name: string;
  readonly tab: ServerTab;
  /** Id of the end of a run to which the followed link leads. */
  readonly asked?: string | undefined;
  /** Whether the followed link leads to the processes. */
  readonly showsProcesses?: boolean | undefined;
}

/** Page of a server: a header with its state and the reason, tabs, and the section of the selected tab. */
export function ServerPage({ name, tab, asked, showsProcesses = false }: ServerPageProps) {
  const server = useServer(name);
  const { inspectors } = useServices();
  const events = useEventsOf(name);

  useEffect(() => () => inspectors.of(name).leave(), [inspectors, name]);

  if (server === undefined) {
    return (
      <div className="px-16 py-24">
        <p>
          There is no server named <strong>{name}</strong>; it may have been removed from servers.json.
        </p>
        <a className="inline-block mt-8 link" href={hrefOf({ view: 'servers' })}>
          Back to all servers
        </a>
      </div>
    );
  }
  const Section = sections[tab];
  const hasCard = tab === 'overview' && isInTrouble(server);
  return (
    <div className="flex flex-col h-full" data-server={name}>
      <ServerHeader server={server} isCauseTold={hasCard} />
      <ActionError
        server={name}
        className="flex-none pt-8 pr-12 pb-6 pl-16"
        hasLines
        told={hasCard ? server.lastError?.message : undefined}
      />
      <PageTabs server={server} current={tab} />
      {/* Only the section scrolls, so that the header and its commands stay visible. */}
      <div className="flex flex-col min-h-0 flex-1 overflow-auto">
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

/** Content of the page for each tab. */
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

/** Calls of one server within the time shown, by tool and client. */
function ServerCalls({ name }: { readonly name: string }) {
  const servers = useMemo(() => [name], [name]);
  const span = useSpanWindow(servers);
  return (
    // The table has the scrollbar, so that the table header and the time selection stay visible.
    <div className="flex flex-col min-h-0 flex-1 pt-12">
      <SpanBar {...span} bucketMs={undefined} />
      <CallUsageTable window={span.window} server={name} />
    </div>
  );
}

const everything: LogQuery = {};

/** Logs of one server, on its page. */
export function ServerLogs({ name }: { readonly name: string }) {
  const route = useRoute();
  const query = (route.view === 'server' ? route.query : undefined) ?? everything;
  const show = useCallback(
    (next: LogQuery) => {
      window.location.hash = hrefOf({ view: 'server', name, tab: 'logs', query: next });
    },
    [name],
  );
  return <LogView server={name} query={query} onQuery={show} />;
}

const tabNames: Readonly<Record<ServerTab, string>> = {
  overview: 'Overview',
  calls: 'Calls',
  tools: 'Tools',
  sessions: 'Sessions',
  logs: 'Logs',
  restarts: 'Restarts',
  configuration: 'Configuration',
};

interface PageTabsProps {
  readonly server: Pick<ServerView, 'name' | 'restarts24h'>;
  readonly current: ServerTab;
}

/** Class that makes each tab as wide as its label in bold, so that tabs do not move when another tab becomes current. */
const wide =
  "after:block after:h-0 after:overflow-hidden after:content-[attr(data-words)_/_''] after:font-semibold after:invisible";
/**
 * Forced-colours mode draws transparent borders visibly. In that mode, an unselected tab therefore has no border and is placed
 * above the line below the tabs.
 */
const unchosen =
  'border-transparent text-dim hover:text-text forced-colors:h-31 forced-colors:mb-0 forced-colors:border-b-0';
/** With forced colours, the system draws a background for the selected tab, which needs space around the text. */
const chosen = 'border-accent text-text font-semibold forced-colors:-mx-8 forced-colors:px-8';

/** Tabs of a server's page. They are links, so that each tab has its own entry in the browser history. */
export function PageTabs({ server: { name, restarts24h = 0 }, current }: PageTabsProps) {
  return (
    // Tabs that do not fit wrap to a second line, for example at 200 % zoom, so that all of them can be reached.
    <nav
      className="flex flex-wrap gap-16 flex-none px-16 border-b border-line"
      aria-label={`Sections of ${name}`}
    >
      {serverTabs.map((tab) => (
        <a
          key={tab}
          className={`h-32 -mb-2 pt-6 border-b-2 ${wide} ${tab === current ? chosen : unchosen}`}
          href={hrefOf({ view: 'server', name, tab })}
          aria-current={tab === current ? 'page' : undefined}
          data-words={tabNames[tab]}
          data-tip={withShortcut(tabNames[tab], tab)}
        >
          {tabNames[tab]}
          {tab === 'restarts' && restarts24h > 0 && (
            <span className="hint ml-6 figures" data-tip={restartsMeaning}>
              {formatCount(restarts24h)}
              <Unseen> in 24 h</Unseen>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
