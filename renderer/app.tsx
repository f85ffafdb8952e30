import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Navigation } from './views/navigation.tsx';
import { TooltipLayer } from './ui/tooltip-layer.tsx';
import { ManageNote } from './commands/manage-note.tsx';
import { ServerMenu } from './commands/server-menu.tsx';
import { useThemeOfSettings } from './settings/use-theme.ts';
import type { Route } from './store/route-store.ts';
import { usePanel, useRoute, useServices } from './services.ts';
import { useIsWide } from './use-is-wide.ts';
import { useKeyCommands } from './use-key-commands.ts';
import { Activity } from './views/activity.tsx';
import { LoadingState } from './views/loading-state.tsx';
import { Overview } from './views/overview.tsx';
import { ServerListPane } from './views/server-list-pane.tsx';
import styles from './app.module.css';

const loadServerPage = () => import('./views/server-page.tsx');
/**
 * Server page in a chunk of its own, because the charts are half of all code and the first view needs none of
 * them.
 */
const ServerPage = lazy(() => loadServerPage().then((module) => ({ default: module.ServerPage })));

const loadManageLayer = () => import('./views/manage-layer.tsx');
/** Manage layer in a chunk of its own, loaded after the first paint because nothing is managed until then. */
const ManageLayer = lazy(() => loadManageLayer().then((module) => ({ default: module.ManageLayer })));
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

/** The window: navigation on the left, one view beside it. */
export function App() {
  const phase = usePanel((state) => state.phase);
  const route = useRoute();
  useKeyCommands();
  useThemeOfSettings();
  useFocusReturn(route);
  const isSettled = useSettled(phase);
  useEffect(() => {
    if (isSettled) void loadServerPage();
  }, [isSettled]);
  return (
    <div className={styles.window}>
      <Navigation />
      <main className={styles.view}>{phase === 'loading' ? <LoadingState /> : <View route={route} />}</main>
      {isSettled && (
        <Suspense fallback={null}>
          <ManageLayer />
        </Suspense>
      )}
      <ServerMenu />
      <ManageNote />
      <TooltipLayer />
    </div>
  );
}

function View({ route }: { readonly route: Route }) {
  const isWide = useIsWide();
  switch (route.view) {
    case 'servers':
      return <Overview />;
    case 'server':
      return (
        <div className={styles.split}>
          {isWide && <ServerListPane open={route.name} />}
          <div className={styles.page}>
            <Suspense fallback={null}>
              <ServerPage key={route.name} name={route.name} tab={route.tab} asked={route.end} />
            </Suspense>
          </div>
        </div>
      );
    case 'usage':
      return (
        <div className={styles.page}>
          <Suspense fallback={null}>
            <UsageView />
          </Suspense>
        </div>
      );
    case 'compare':
      return (
        <div className={styles.page}>
          <Suspense fallback={null}>
            <CompareView servers={route.servers} />
          </Suspense>
        </div>
      );
    case 'activity':
      return <Activity />;
    case 'logs':
      return (
        <Suspense fallback={null}>
          <AllLogs query={route.query} />
        </Suspense>
      );
    case 'clients':
      return (
        <div className={styles.page}>
          <Suspense fallback={null}>
            <ClientsView />
          </Suspense>
        </div>
      );
    case 'settings':
      return (
        <div className={styles.page}>
          <Suspense fallback={null}>
            <SettingsView />
          </Suspense>
        </div>
      );
  }
}

/** Whether the first view with servers is painted, so that the page has time for what it may need next. */
function useSettled(phase: 'loading' | 'ready'): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (phase === 'ready') requestIdleCallback(() => setSettled(true));
  }, [phase]);
  return isSettled;
}

/** Focus returns to the row of a server when its page is left. Hovering ends with the view. */
function useFocusReturn(route: Route): void {
  const { view } = useServices();
  const before = useRef(route);
  useEffect(() => {
    const left = before.current;
    before.current = route;
    if (left === route) return;
    view.setState({ cursorAt: undefined, pointedEvents: [] });
    if (left.view !== 'server' || route.view !== 'servers') return;
    document.querySelector<HTMLElement>(`[data-server="${CSS.escape(left.name)}"] [data-home]`)?.focus();
  }, [route, view]);
}
