import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';
import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';

/** What was read last, which stays while requests fail. Its object changes only with its content. */
type PolledState<Value> = Value & { readonly error: ErrorReport | undefined };

/**
 * Something that is read again and again while a view shows it.
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
  /** Request that is pending, and the one that follows it. */
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
  // One request after the other, because an answer that was asked for before a change may be older than it.
  function refresh(): Promise<void> {
    if (asking === undefined) return (asking = ask());
    return (next ??= asking.then(() => {
      next = undefined;
      return (asking = ask());
    }));
  }

  return {
    state,
    /** Reads it now because a click changed it, with or without followers. Never rejects. */
    refresh,
    /** Reads it now, and at a pace until all followers have unsubscribed. Returns the unsubscribe function. */
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
  /** Server that `view` is of; undefined while no page shows one. */
  readonly server: string | undefined;
}

const nothing = { server: undefined, view: undefined, error: undefined };

export type FollowedStore<View> = ReturnType<typeof createFollowedStore<View>>;

/** What a page shows of its server alone: its processes, its sessions. */
export function createFollowedStore<View>(read: (server: string) => Promise<View>, clock: ClockStore) {
  const state = createStore<FollowedState<View>>(() => nothing);
  let current: { readonly refresh: () => Promise<void> } | undefined;
  return {
    state,
    /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
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
    /** Requests data now, because a click changed it. */
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

/** An entry that another program overwrites is seen within five seconds. */
const LOOK_AGAIN_MS = 4000;

/** Whether there is an entry that can be put back. */
export const hasMoved = ({ servers }: FoundClient): boolean =>
  servers.some(({ moved, lost }) => moved || lost);

interface Programs {
  /** Undefined until the first answer. */
  readonly found: readonly FoundClient[] | undefined;
  /** When this window last moved servers of a program, or put them back, by its id. */
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
    /** Remembers that the files of these programs are about to change. */
    changing(programs: readonly string[]): void {
      const { now } = clock.getState();
      polled.state.setState(({ changedAt }) => ({
        changedAt: new Map([...changedAt, ...programs.map((id) => [id, now] as const)]),
      }));
    },
  };
}
