import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../shared/domain.ts';
import type { ControlPanelApi } from '../shared/ipc-contract.ts';
import type { ServerCommand } from '../shared/server-states.ts';
import type { ServerColours } from './format/server-colours.ts';
import type { Inspectors } from './store/inspector-store.ts';
import type { ManageStore } from './store/manage-store.ts';
import type { SessionsView } from '../shared/sessions-view.ts';
import type { ProcessesView } from '../shared/processes.ts';
import type { FollowedStore, ClientsState, ClientsStore, ProgramsStore } from './store/polled-stores.ts';
import type { SettingsStore } from './store/settings-store.ts';
import type { StoryStore } from './store/story-store.ts';
import { type ActionStore, type TaskTable, Task, type TaskStatus } from './store/task.ts';
import type { ClockStore } from './store/clock-store.ts';
import type { FoundImports } from './store/found-imports.ts';
import type { HistoryStore } from './store/history-store.ts';
import type { PanelState, PanelStore } from './store/panel-store.ts';
import type { Past } from './store/past.ts';
import type { QuitStore } from './store/quit-store.ts';
import type { Route, RouteStore } from './store/route-store.ts';
import type { ViewState, ViewStore } from './store/view-store.ts';

/** Services for all components; created once in main.tsx. */
export interface Services {
  readonly panel: PanelStore;
  readonly history: HistoryStore;
  /** Figures, calls and events of any time range, including earlier app runs. */
  readonly past: Past;
  readonly clock: ClockStore;
  readonly actions: ActionStore;
  /** Requests and changes whose result is shown where the user started them. The table runs only one task per key at a time. */
  readonly asks: TaskTable;
  readonly processes: FollowedStore<ProcessesView>;
  readonly sessions: FollowedStore<SessionsView>;
  /** Restart history of a server. */
  readonly stories: StoryStore;
  /** Endpoint of the gateway, through which MCP clients use the servers, and these clients. */
  readonly clients: ClientsStore;
  /** MCP client programs on this machine that can be connected to the panel, and the servers that they have configured. */
  readonly programs: ProgramsStore;
  readonly inspectors: Inspectors;
  readonly api: ControlPanelApi;
  readonly manage: ManageStore;
  /** Servers of other clients on this machine, which can be imported. */
  readonly found: FoundImports;
  readonly quit: QuitStore;
  readonly settings: SettingsStore;
  readonly route: RouteStore;
  readonly view: ViewStore;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('A component was rendered outside ServicesContext.');
  return services;
}

/**
 * Part of the panel's state that the selector chooses. The selector must return an existing part of the state or a primitive,
 * because a new object would cause a render on every push from the main process.
 */
export const usePanel = <T>(select: (state: PanelState) => T): T => useStore(useServices().panel, select);

/** Time at which the panel started, from its start event; undefined while that event has not been loaded. */
export const usePanelStart = (): number | undefined =>
  usePanel(({ events }) => events.findLast(({ kind }) => kind === 'panel-started')?.at);

export const useServer = (name: string): ServerView | undefined =>
  usePanel(({ servers }) => servers.get(name));

export const useView = <T>(select: (state: ViewState) => T): T => useStore(useServices().view, select);

/** Colours of the servers, the same in all views. */
export const useColours = (): ServerColours => useView(({ colours }) => colours);

/** Last command that this app window gave to a server; undefined if there is none or it succeeded. */
export const useAction = (server: string): TaskStatus<unknown, ServerCommand> | undefined =>
  useStore(useServices().actions.state, ({ byKey }) => byKey.get(server));

/** Command that is running for a server; undefined if there is none. */
export const usePendingAction = (server: string): ServerCommand | undefined => {
  const status = useAction(server);
  return status?.phase === 'pending' ? status.about : undefined;
};

export const useAsk = (key: string): TaskStatus | undefined =>
  useStore(useServices().asks.state, (state) => state.byKey.get(key));

export const useClients = <T>(select: (state: ClientsState) => T): T =>
  useStore(useServices().clients.state, select);

export const useRoute = (): Route => useStore(useServices().route, (state) => state.route);

/** Value derived from the current time, rendered only when it changes, so `derive` should return text, not milliseconds. */
export const useNow = <T extends string | number | boolean | undefined>(derive: (now: number) => T): T =>
  useStore(useServices().clock, (state) => derive(state.now));

/** Number that increases each time older samples of a server have been filled in. */
export const useHistoryFills = (name: string): number =>
  useStore(useServices().history.state, (state) => state.fills.get(name) ?? 0);

export interface UsedTask<Value, About> extends Pick<Task<Value, About>, 'run' | 'reset'> {
  /** Status of the task; undefined before the first run. */
  readonly status: TaskStatus<Value, About> | undefined;
}

/** Task that lives as long as its component; a later run replaces an earlier one. */
export function useTask<Value, About = void>(): UsedTask<Value, About> {
  const [status, setStatus] = useState<TaskStatus<Value, About>>();
  const task = useRef<Task<Value, About>>(undefined);
  useEffect(() => {
    const created = new Task<Value, About>(setStatus);
    task.current = created;
    return () => created.dispose();
  }, []);
  const run = useCallback<Task<Value, About>['run']>(
    async (work, about) => task.current?.run(work, about),
    [],
  );
  const reset = useCallback(() => task.current?.reset(), []);
  return { status, run, reset };
}
