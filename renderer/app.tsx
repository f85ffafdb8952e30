import { useEffect, useRef } from 'react';
import { Navigation } from './components/navigation.tsx';
import { TooltipLayer } from './components/tooltip-layer.tsx';
import type { Route } from './store/route-store.ts';
import { usePanel, useRoute, useServices } from './store/services.ts';
import { useKeyCommands } from './use-key-commands.ts';
import { Activity } from './views/activity.tsx';
import { LoadingState } from './views/loading-state.tsx';
import { Overview } from './views/overview.tsx';
import { ServerPage } from './views/server-page.tsx';
import styles from './app.module.css';

/** The window: navigation on the left, one view beside it. */
export function App() {
  const phase = usePanel((state) => state.phase);
  const route = useRoute();
  useKeyCommands();
  useFocusReturn(route);
  return (
    <div className={styles.window}>
      <Navigation />
      <main className={styles.view}>{phase === 'loading' ? <LoadingState /> : <View route={route} />}</main>
      <TooltipLayer />
    </div>
  );
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'servers':
      return <Overview />;
    case 'server':
      return <ServerPage key={route.name} name={route.name} />;
    case 'activity':
      return <Activity />;
  }
}

/** Back from a server's page, the focus is on its row again; on a page, at its head. Hovering ends with the view. */
function useFocusReturn(route: Route): void {
  const { view } = useServices();
  const before = useRef(route);
  useEffect(() => {
    const left = before.current;
    before.current = route;
    if (left === route) return;
    view.setState({ cursorAt: undefined, pointedEvents: [] });
    const server = route.view === 'server' ? route.name : left.view === 'server' ? left.name : undefined;
    if (server === undefined || route.view === 'activity') return;
    document.querySelector<HTMLElement>(`[data-server="${CSS.escape(server)}"] [data-home]`)?.focus();
  }, [route, view]);
}
