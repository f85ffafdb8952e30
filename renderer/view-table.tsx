import { lazy, Suspense, type ComponentType } from 'react';
import type { Route } from './store/route-store.ts';
import { useIsWide } from './ui/use-is-wide.ts';
import { Activity } from './views/activity.tsx';
import { Contained } from './views/contained.tsx';
import { Overview } from './views/overview.tsx';
import { ServerListPane } from './views/server-list-pane.tsx';
import styles from './app.module.css';

type RouteOf<View extends Route['view']> = Extract<Route, { readonly view: View }>;

interface ViewEntry<View extends Route['view']> {
  /** Name of the view in error messages. */
  readonly title: string;
  readonly Component: ComponentType<{ readonly route: RouteOf<View> }>;
}

export const loadServerPage = () => import('./views/server-page.tsx');
/**
 * Server page in a chunk of its own, because the charts are half of all code and the first view needs none of
 * them.
 */
const ServerPage = lazy(() => loadServerPage().then((module) => ({ default: module.ServerPage })));
const UsageView = lazy(() =>
  import('./usage/usage-view.tsx').then((module) => ({ default: module.UsageView })),
);
const CompareView = lazy(() =>
  import('./compare/compare-view.tsx').then((module) => ({ default: module.CompareView })),
);
const SettingsView = lazy(() =>
  import('./settings/settings-view.tsx').then((module) => ({ default: module.SettingsView })),
);
const ClientsView = lazy(() =>
  import('./clients/clients-view.tsx').then((module) => ({ default: module.ClientsView })),
);
const AllLogs = lazy(() => import('./views/all-logs.tsx').then((module) => ({ default: module.AllLogs })));

/** Views by route. */
export const views: { readonly [View in Route['view']]: ViewEntry<View> } = {
  servers: { title: 'Servers', Component: Overview },
  server: { title: 'Server', Component: ServerSplit },
  usage: {
    title: 'Usage',
    Component: () => (
      <div className={styles.page}>
        <UsageView />
      </div>
    ),
  },
  compare: {
    title: 'Compare',
    Component: ({ route }) => (
      <div className={styles.page}>
        <CompareView servers={route.servers} />
      </div>
    ),
  },
  activity: { title: 'Activity', Component: Activity },
  logs: { title: 'Logs', Component: ({ route }) => <AllLogs query={route.query} /> },
  clients: {
    title: 'Clients',
    Component: () => (
      <div className={styles.page}>
        <ClientsView />
      </div>
    ),
  },
  settings: {
    title: 'Settings',
    Component: () => (
      <div className={styles.page}>
        <SettingsView />
      </div>
    ),
  },
};

function ServerSplit({ route: { name, tab, end } }: { readonly route: RouteOf<'server'> }) {
  const isWide = useIsWide();
  return (
    <div className={styles.split}>
      {isWide && (
        <Contained subject="the list of servers">
          <ServerListPane open={name} />
        </Contained>
      )}
      <div className={styles.page}>
        <Contained key={name} subject={`the page of ${name}`}>
          {/* The list beside the page is shown while the chunk of the page is loading. */}
          <Suspense fallback={null}>
            <ServerPage name={name} tab={tab} asked={end} />
          </Suspense>
        </Contained>
      </div>
    </div>
  );
}
