import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { Navigation } from './views/navigation.tsx';
import { useDroppedFiles } from './import/use-dropped-files.ts';
import { TooltipLayer } from './ui/tooltip-layer.tsx';
import { ManageNotice } from './commands/manage-note.tsx';
import { OpenMenu } from './commands/open-menu.tsx';
import { useThemeOfSettings } from './settings/use-theme.ts';
import type { Route } from './store/route-store.ts';
import { usePanel, useRoute, useServices } from './services.ts';
import { FailureBoundary } from './ui/failure-boundary.tsx';
import { useRowMenu } from './commands/row-menu.ts';
import { useKeyCommands } from './commands/use-key-commands.ts';
import { Contained, FailureCard } from './views/failure-card.tsx';
import { LoadingState } from './views/loading-state.tsx';
import { useIsWide } from './ui/use-is-wide.ts';
import { Overview } from './views/overview.tsx';
import { ServerListPane } from './views/server-list.tsx';

const loadManageLayer = () => import('./views/manage-layer.tsx');
/**
 * The manage layer contains the dialogs and commands to manage servers. It is a separate chunk that is loaded after the first
 * paint, because the user cannot need it before.
 */
const ManageLayer = lazy(() => loadManageLayer().then((module) => ({ default: module.ManageLayer })));

/** The whole app window. An error that no part catches replaces all of it with a card that has a reload button. */
export const App = () => (
  <FailureBoundary
    fallback={(failure) => (
      <FailureCard
        failure={failure}
        subject="the window"
        comfort="The servers keep running."
        action="Reload window"
        onAction={() => window.location.reload()}
      />
    )}
  >
    <AppWindow />
  </FailureBoundary>
);

/** Navigation on the left, one view beside it. */
function AppWindow() {
  const phase = usePanel((state) => state.phase);
  const route = useRoute();
  useKeyCommands();
  useRowMenu();
  useDroppedFiles();
  useThemeOfSettings();
  useFocusReturn(route);
  const isSettled = useSettled(phase);
  useEffect(() => {
    if (isSettled) void Promise.all([loadServerPage(), loadActivity()]);
  }, [isSettled]);
  return (
    <div className="flex h-full">
      <Contained subject="the navigation">
        <Navigation />
      </Contained>
      <main className="min-w-0 flex-1 h-full">
        {phase === 'loading' ? <LoadingState /> : <View route={route} />}
      </main>
      {isSettled && (
        <Suspense fallback={null}>
          <ManageLayer />
        </Suspense>
      )}
      {/* If an overlay fails, only the overlays disappear, not the view below them. */}
      <FailureBoundary key={`above ${route.view}`} fallback={() => null}>
        <OpenMenu />
        <ManageNotice />
        <TooltipLayer />
      </FailureBoundary>
    </div>
  );
}

function View({ route }: { readonly route: Route }) {
  const { title, Component } = views[route.view];
  return (
    <Contained key={route.view} subject={`the view ${title}`}>
      {/* A view in a separate chunk is rendered after the chunk has loaded. */}
      <Suspense fallback={null}>
        <Component route={route as never} />
      </Suspense>
    </Contained>
  );
}

/** Whether the first view with servers has been painted, after which chunks for later use are loaded. */
function useSettled(phase: 'loading' | 'ready'): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (phase === 'ready') requestIdleCallback(() => setSettled(true));
  }, [phase]);
  return isSettled;
}

/**
 * Clears the hovered time and events when the route changes. When the user leaves a server's page for the list, also moves the
 * focus back to the row of that server.
 */
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

type RouteOf<View extends Route['view']> = Extract<Route, { readonly view: View }>;

interface ViewEntry<View extends Route['view']> {
  /** Name of the view in error messages. */
  readonly title: string;
  readonly Component: ComponentType<{ readonly route: RouteOf<View> }>;
}

const loadServerPage = () => import('./views/server-page.tsx');
/** Server page in a separate chunk, because the charts are half of all code and the first view does not need them. */
const ServerPage = lazy(() => loadServerPage().then((module) => ({ default: module.ServerPage })));
const loadActivity = () => import('./views/activity.tsx');
const Activity = lazy(() => loadActivity().then((module) => ({ default: module.Activity })));
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
const ClientPage = lazy(() =>
  import('./clients/client-page.tsx').then((module) => ({ default: module.ClientPage })),
);
const AllLogs = lazy(() => import('./views/all-logs.tsx').then((module) => ({ default: module.AllLogs })));

/** Views by route. */
export const views: { readonly [View in Route['view']]: ViewEntry<View> } = {
  servers: { title: 'Servers', Component: Overview },
  server: { title: 'Server', Component: ServerSplit },
  usage: { title: 'Usage', Component: UsageView },
  compare: {
    title: 'Compare',
    Component: ({ route: { servers } }) => <CompareView servers={servers} />,
  },
  activity: { title: 'Activity', Component: Activity },
  logs: { title: 'Logs', Component: ({ route }) => <AllLogs query={route.query} /> },
  clients: {
    title: 'Clients',
    Component: ({ route: { client } }) =>
      client === undefined ? <ClientsView /> : <ClientPage key={client} id={client} />,
  },
  settings: { title: 'Settings', Component: ({ route: { page } }) => <SettingsView page={page} /> },
};

function ServerSplit({ route: { name, tab, end, showsProcesses } }: { readonly route: RouteOf<'server'> }) {
  const isWide = useIsWide();
  return (
    <div className="flex h-full">
      {isWide && (
        <Contained subject="the list of servers">
          <ServerListPane open={name} />
        </Contained>
      )}
      <div className="min-w-0 flex-1 h-full">
        <Contained key={name} subject={`the page of ${name}`}>
          {/* While the chunk of the page is loading, the list beside the page is already shown. */}
          <Suspense fallback={null}>
            <ServerPage {...{ name, tab, showsProcesses }} asked={end} />
          </Suspense>
        </Contained>
      </div>
    </div>
  );
}
