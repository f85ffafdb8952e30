import type { ControlPanelApi } from '../shared/ipc-contract.ts';
import type { ShellNews } from '../shared/shell-news.ts';
import { SPARK_SPAN_MS } from './charts/sparkline-path.ts';
import { toReport } from './control-panel.ts';
import { createInspectors, createInspectorStore } from './store/inspector-store.ts';
import { ManageStore } from './store/manage-store.ts';
import { createFollowedStore, createClientsStore, createProgramsStore } from './store/polled-stores.ts';
import { createSettingsStore } from './store/settings-store.ts';
import { createStoryStore } from './store/story-store.ts';
import { createActionStore, TaskTable } from './store/task.ts';
import { createClockStore } from './store/clock-store.ts';
import { createFoundImports } from './store/found-imports.ts';
import { HistoryStore } from './store/history-store.ts';
import { applyPush, applySnapshot, createPanelStore } from './store/panel-store.ts';
import { subscribeToPanel } from './store/panel-subscriber.ts';
import { createPast } from './store/past.ts';
import { createQuitStore } from './store/quit-store.ts';
import { createRouteStore } from './store/route-store.ts';
import { colourServers } from './store/server-colours.ts';
import type { Services } from './services.ts';
import { createViewStore } from './store/view-store.ts';
import { WEEK_MS } from '../shared/units.ts';

/** Creates all stores on top of the API of the main process. No data flows until `connect` is called. */
export function createServices(api: ControlPanelApi, hash: string): Services {
  const clock = createClockStore(Date.now);
  const panel = createPanelStore();
  const view = createViewStore();
  colourServers(panel, view, (names) => byMemory(api, names, clock.getState().now));
  return {
    panel,
    history: new HistoryStore(
      (name, sinceMs) => api.getHistory(name, sinceMs),
      () => clock.getState().now,
    ),
    past: createPast(api, clock),
    clock,
    actions: createActionStore({
      start: api.startServer,
      stop: api.stopServer,
      restart: api.restartServer,
    }),
    asks: new TaskTable('refuse'),
    processes: createFollowedStore((name) => api.getProcesses(name), clock),
    sessions: createFollowedStore((name) => api.getSessions(name), clock),
    stories: createStoryStore((query) => api.getRestartStory(query), clock),
    clients: createClientsStore(api, clock),
    programs: createProgramsStore(api, clock),
    inspectors: createInspectors((server) => createInspectorStore(server, api)),
    api,
    manage: new ManageStore(api),
    found: createFoundImports(api),
    quit: createQuitStore(api),
    settings: createSettingsStore(api),
    route: createRouteStore(hash),
    view,
  };
}

async function byMemory(
  api: Pick<ControlPanelApi, 'getSeries'>,
  names: readonly string[],
  now: number,
): Promise<readonly string[]> {
  const { totals = [] } = await api.getSeries({
    ...{ from: now - WEEK_MS, to: now, servers: [...names], metrics: ['memoryBytes'] },
    ...{ maxBuckets: 1, withTotals: true },
  });
  return totals
    .toSorted((one, other) => (other.average ?? 0) - (one.average ?? 0))
    .flatMap(({ server }) => server ?? []);
}

/** Connects the stores to the snapshots and updates from the main process. Returns a function that disconnects them. */
export function connect(services: Services, api: ControlPanelApi): () => void {
  const { panel, history, clock, inspectors, quit } = services;
  /** Requests recent samples of all servers, so that their small charts are not empty at first. */
  const completeRecent = () => {
    const { names } = panel.getState();
    for (const name of names) history.ensure(name, clock.getState().now - SPARK_SPAN_MS);
  };
  const stopProgress = api.onCallProgress((progress) => inspectors.progressed(progress));
  const stopNews = api.onShellNews((news) => takeShellNews(services, news));
  // Loads the question about quitting, if one is open. A page that was loaded for that question, or reloaded while it was open,
  // has not received it.
  void quit.refresh();
  const stopPanel = subscribeToPanel({
    getSnapshot: () => api.getSnapshot(),
    onPush: (listener) => api.onPush(listener),
    applySnapshot: (snapshot) => {
      const isFirst = panel.getState().phase === 'loading';
      panel.setState(applySnapshot(panel.getState(), snapshot));
      // Missed samples must be requested before new ones are appended, because the request starts at the last known sample.
      if (!isFirst) history.resume(panel.getState().names);
      // The search for engines waits until the page is idle, because the first frame with servers needs both cores.
      else requestIdleCallback(() => void findEngines(services));
      history.keepOnly(panel.getState().names);
      history.append(snapshot.servers);
      completeRecent();
    },
    applyPush: (push) => {
      panel.setState(applyPush(panel.getState(), push));
      const sampled = [...(push.servers ?? []), ...(push.samples ?? [])];
      history.append(sampled);
      if (push.removed !== undefined) history.keepOnly(panel.getState().names);
      if (sampled.length > 0) completeRecent();
    },
    reportFailure: (reason) => panel.setState({ loadError: toReport(reason) }),
    schedule: (task, delayMs) => {
      const timer = setTimeout(task, delayMs);
      return () => clearTimeout(timer);
    },
  });
  return () => {
    stopProgress();
    stopNews();
    stopPanel();
  };
}

const findEngines = ({ api, panel }: Pick<Services, 'api' | 'panel'>): Promise<void> =>
  api.findEngines().then(
    (engines) => panel.setState({ engines }),
    () => undefined,
  );

function takeShellNews({ manage, quit }: Pick<Services, 'manage' | 'quit'>, { kind }: ShellNews): void {
  if (kind === 'quit-asked') return void quit.refresh();
  manage.setNote({ kind: 'done', words: minimisedWords });
}

/** Explains why a closed app window was only minimised. This happens only on Linux, where some desktops have no tray. */
const minimisedWords =
  'Closing minimised the window, because this desktop shows no tray icon that could bring it back. Ctrl+Q quits.';
