import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Navigation } from './views/navigation.tsx';
import { TooltipLayer } from './ui/tooltip-layer.tsx';
import { ManageNotice } from './commands/manage-note.tsx';
import { ServerMenu } from './commands/server-menu.tsx';
import { useThemeOfSettings } from './settings/use-theme.ts';
import type { Route } from './store/route-store.ts';
import { usePanel, useRoute, useServices } from './services.ts';
import { FailureBoundary } from './ui/failure-boundary.tsx';
import { useKeyCommands } from './commands/use-key-commands.ts';
import { loadServerPage, views } from './view-table.tsx';
import { Contained } from './views/contained.tsx';
import { FailureCard } from './views/failure-card.tsx';
import { LoadingState } from './views/loading-state.tsx';
import styles from './app.module.css';

const loadManageLayer = () => import('./views/manage-layer.tsx');
/** Manage layer in a chunk of its own, loaded after the first paint, because nothing is managed before. */
const ManageLayer = lazy(() => loadManageLayer().then((module) => ({ default: module.ManageLayer })));

/** The whole window. Errors that no part catches replace all of it by a card with a reload button. */
export const App = () => (
  <FailureBoundary
    fallback={(failure) => (
      <FailureCard
        failure={failure}
        subject="the window"
        comfort="The servers go on."
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
  useThemeOfSettings();
  useFocusReturn(route);
  const isSettled = useSettled(phase);
  useEffect(() => {
    if (isSettled) void loadServerPage();
  }, [isSettled]);
  return (
    <div className={styles.window}>
      <Contained subject="the navigation">
        <Navigation />
      </Contained>
      <main className={styles.view}>{phase === 'loading' ? <LoadingState /> : <View route={route} />}</main>
      {isSettled && (
        <Suspense fallback={null}>
          <ManageLayer />
        </Suspense>
      )}
      {/* If an overlay fails, only the overlay disappears. */}
      <FailureBoundary key={`above ${route.view}`} fallback={() => null}>
        <ServerMenu />
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
      {/* A view in a chunk of its own is rendered after the chunk is loaded. */}
      <Suspense fallback={null}>
        <Component route={route as never} />
      </Suspense>
    </Contained>
  );
}

/** Whether the first view with servers is painted, after which chunks for later use are loaded. */
function useSettled(phase: 'loading' | 'ready'): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (phase === 'ready') requestIdleCallback(() => setSettled(true));
  }, [phase]);
  return isSettled;
}

/** Returns the focus to the row of a server when its page is left, and clears the hovered time and events. */
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
