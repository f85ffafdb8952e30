import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';
import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';

/** Last value that was read. It is kept while requests fail. The object is replaced only if its content changes. */
type PolledState<Value> = Value & { readonly error: ErrorReport | undefined };

/**
 * Creates a store whose value is read repeatedly while a view shows it.
 * @param initial value until the first answer
 * @param everyMs milliseconds from one request to the next; the clock ticks each second
 */
function createPolledStore<Value extends object>(
  initial: Value,
  read: () => Promise<Partial<Value>>,
  clock: ClockStore,
  everyMs = 0,
) {
  const state = createStore<PolledState<Value>>(() => ({ ...initial, error: undefined }));
  /** `asking` is the pending request, and `next` is the request that follows it. */
  let asking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let askedAt = 0;
  let followers = 0;
  let stopTicking: (() => void) | undefined;

  async function ask(): Promise<void> {
    askedAt = clock.getState().now;
    const news = await read().then(
      (value) => ({ ...value, error: undefined }),
      (reason: unknown) => ({ error: toReport(reason) }),
    );
    const before = state.getState();
    const after = { ...before, ...news };
    if (!isSameJson(before, after)) state.setState(after);
    asking = undefined;
  }
  // Requests are sent one after the other, because the answer to a request that was sent before a change may not contain the
  // change.
  function refresh(): Promise<void> {
    if (asking === undefined) return (asking = ask());
    return (next ??= asking.then(() => {
      next = undefined;
      return (asking = ask());
    }));
  }

  return {
    state,
    /** Reads the value now, even if there are no followers; called after a click that changed the value. Never rejects. */
    refresh,
    /** Reads the value now, and then repeatedly until all followers have unsubscribed. Returns the unsubscribe function. */
    follow(): () => void {
      followers += 1;
      stopTicking ??= clock.subscribe(({ now }) => {
        if (asking === undefined && now - askedAt >= everyMs) void refresh();
      });
      void refresh();
      let isFollowing = true;
      return () => {
        if (!isFollowing) return;
        isFollowing = false;
        followers -= 1;
        if (followers > 0) return;
        stopTicking?.();
        stopTicking = undefined;
      };
    },
  };
}

interface Followed<View> {
  readonly view: View | undefined;
}

interface FollowedState<View> extends PolledState<Followed<View>> {
  /** Server that `view` belongs to; undefined while no page shows a server. */
  readonly server: string | undefined;
}

const nothing = { server: undefined, view: undefined, error: undefined };

export type FollowedStore<View> = ReturnType<typeof createFollowedStore<View>>;

/** Creates the store for data that only a server's own page shows, such as its processes or its sessions. */
export function createFollowedStore<View>(read: (server: string) => Promise<View>, clock: ClockStore) {
  const state = createStore<FollowedState<View>>(() => nothing);
  let current: { readonly refresh: () => Promise<void> } | undefined;
  return {
    state,
    /** Reads the data now and at every clock tick (none while the app window is hidden). Returns the unsubscribe function. */
    follow(server: string): () => void {
      const own = createPolledStore<Followed<View>>(
        { view: undefined },
        async () => ({ view: await read(server) }),
        clock,
      );
      current = own;
      state.setState({ ...nothing, server });
      const stopReading = own.state.subscribe((news) => state.setState(news));
      const stopAsking = own.follow();
      return () => {
        stopAsking();
        stopReading();
        if (current !== own) return;
        current = undefined;
        state.setState(nothing);
      };
    },
    /** Reads the data now; called after a click that changed it. */
    refresh: () => void current?.refresh(),
  };
}

/** Gateway status and MCP clients; both undefined until the first answer. */
interface Clients {
  readonly gateway: GatewayStatus | undefined;
  readonly clients: readonly ClientView[] | undefined;
}

export type ClientsState = PolledState<Clients>;
export type ClientsStore = ReturnType<typeof createClientsStore>;

export const createClientsStore = (
  api: Pick<ControlPanelApi, 'getGateway' | 'listClients'>,
  clock: ClockStore,
) =>
  createPolledStore<Clients>(
    { gateway: undefined, clients: undefined },
    async () => {
      const [gateway, clients] = await Promise.all([api.getGateway(), api.listClients()]);
      return { gateway, clients };
    },
    clock,
  );

/** Interval in ms between two scans, short enough to detect within five seconds that another program has overwritten an entry. */
const LOOK_AGAIN_MS = 4000;

/** True if at least one entry of the program can be restored. */
export const hasMoved = ({ servers }: FoundClient): boolean =>
  servers.some(({ moved, lost }) => moved || lost);

interface Programs {
  /** Programs that were found; undefined until the first answer arrives. */
  readonly found: readonly FoundClient[] | undefined;
  /** Time at which this window last moved servers of a program or moved them back, by the program's id. */
  readonly changedAt: ReadonlyMap<string, number>;
}

export type ProgramsStore = ReturnType<typeof createProgramsStore>;

/** Programs on this machine that use MCP servers. */
export function createProgramsStore(api: Pick<ControlPanelApi, 'findClients'>, clock: ClockStore) {
  const polled = createPolledStore<Programs>(
    { found: undefined, changedAt: new Map() },
    async () => ({ found: await api.findClients() }),
    clock,
    LOOK_AGAIN_MS,
  );
  return {
    ...polled,
    /** Records that the panel is about to change the files of these programs. */
    changing(programs: readonly string[]): void {
      const { now } = clock.getState();
      polled.state.setState(({ changedAt }) => ({
        changedAt: new Map([...changedAt, ...programs.map((id) => [id, now] as const)]),
      }));
    },
  };
}
