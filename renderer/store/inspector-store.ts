import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallProgress, OfferFailure, OfferPart } from '../../shared/domain.ts';
import type { ControlPanelApi, ServerCall } from '../../shared/ipc-contract.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import type { Draft } from '../forms/form-field.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { type CallHistory, type SettledCall, toPastCall, withPastCall } from './past-calls.ts';

/** State of the last call to one item (a tool, resource or prompt). */
export type CallRecord =
  | {
      readonly phase: 'pending';
      readonly callId: string;
      readonly since: number;
      readonly isCancelling: boolean;
      readonly progress?: CallProgress;
    }
  | SettledCall;

/** Input for one item (a tool, resource or prompt). */
export interface ItemInput {
  /** Draft of the form; undefined until the user types in the form. */
  readonly draft?: Draft;
  /** JSON typed instead of the form; undefined while the form is used. */
  readonly json?: string;
  /** Time limit of a call in seconds, as typed; empty or undefined for the server's setting. */
  readonly timeLimit?: string;
}

export interface InspectorState {
  readonly items: readonly OfferItem[] | undefined;
  /** Lists (tools, resources or prompts) that the server failed to return. */
  readonly failures: readonly OfferFailure[];
  /** Lists (tools, resources or prompts) of which the items contain only a part. */
  readonly parts: readonly OfferPart[];
  /** Error of the last listing if that listing returned nothing. In this case, the items of an earlier listing are kept. */
  readonly offerError: ErrorReport | undefined;
  readonly isListing: boolean;
  readonly search: string;
  readonly selected: string | undefined;
  readonly inputs: ReadonlyMap<string, ItemInput>;
  readonly calls: ReadonlyMap<string, CallRecord>;
  /** Completed calls, newest first. */
  readonly history: CallHistory;
  /** Keys of items that may change data, but that the user allowed to be called without confirmation until the app quits. */
  readonly trusted: readonly string[];
}

/** Request to send. The history also stores the arguments from which the request was made (`value`). */
type CallRequest = Pick<ServerCall, 'method' | 'params' | 'timeoutMs'> & { readonly value?: unknown };

type InspectorApi = Pick<ControlPanelApi, 'getOfferTexts' | 'callServer' | 'cancelCall'>;

const nothing: InspectorState = {
  items: undefined,
  failures: [],
  parts: [],
  offerError: undefined,
  isListing: false,
  search: '',
  selected: undefined,
  inputs: new Map(),
  calls: new Map(),
  history: new Map(),
  trusted: [],
};

export type InspectorStore = ReturnType<typeof createInspectorStore>;

/** Creates the store for the selection, the inputs and the calls on one server's page. */
export function createInspectorStore(server: string, api: InspectorApi) {
  const state = createStore<InspectorState>(() => nothing);

  /** Lists the server's tools, resources and prompts. Never rejects. */
  async function list(): Promise<void> {
    if (state.getState().isListing) return;
    state.setState({ isListing: true });
    try {
      const offer = await api.getOfferTexts(server);
      const { failures = [], parts = [] } = offer;
      // This module is imported with the first list, because the app window's first view does not show a list.
      const { readItems } = await import('../offer/offer-items.ts');
      const items = await readItems(offer);
      state.setState({ items, failures, parts, offerError: undefined, isListing: false });
    } catch (reason) {
      state.setState({ offerError: toReport(reason), isListing: false });
    }
  }

  return {
    state,
    list,
    setInput: (key: string, input: ItemInput) =>
      state.setState({ inputs: new Map(state.getState().inputs).set(key, input) }),
    /** Allows calls of this item without confirmation from now on. */
    trust: (key: string) => state.setState({ trusted: [...state.getState().trusted, key] }),
    ...createCalls(server, api, state),
  };
}

/** Creates the functions that call items, with at most one pending call per item. */
function createCalls(server: string, api: InspectorApi, state: StoreApi<InspectorState>) {
  let callCount = 0;

  const record = (key: string): CallRecord | undefined => state.getState().calls.get(key);
  const putRecord = (key: string, call: CallRecord) =>
    state.setState({ calls: new Map(state.getState().calls).set(key, call) });

  /** Calls the item, unless its last call is still pending. Never rejects. */
  async function call(key: string, { value, ...request }: CallRequest): Promise<void> {
    if (record(key)?.phase === 'pending') return;
    callCount += 1;
    const since = Date.now();
    const callId = `${server} ${since} ${callCount}`;
    putRecord(key, { phase: 'pending', callId, since, isCancelling: false });
    const settled = await settle(key, { callId, name: server, ...request }, since);
    putRecord(key, settled);
    const { history } = state.getState();
    state.setState({ history: withPastCall(history, key, toPastCall(callId, since, value, settled)) });
  }

  async function settle(key: string, request: ServerCall, since: number): Promise<SettledCall> {
    try {
      const outcome = await api.callServer(request);
      return { phase: 'done', at: Date.now(), outcome };
    } catch (reason) {
      return unanswered(record(key), toReport(reason), since);
    }
  }

  function unanswered(call: CallRecord | undefined, error: ErrorReport, since: number): SettledCall {
    const isAskedFor = call?.phase === 'pending' && call.isCancelling && error.code === 'CANCELLED';
    const at = Date.now();
    return isAskedFor ? { phase: 'cancelled', at, afterMs: at - since } : { phase: 'failed', at, error };
  }

  function cancel(key: string): void {
    const call = record(key);
    if (call?.phase !== 'pending') return;
    putRecord(key, { ...call, isCancelling: true });
    // A failed cancellation is ignored, because the call itself reports its outcome.
    api.cancelCall(call.callId).catch(() => undefined);
  }

  function progressed(progress: CallProgress): void {
    for (const [key, call] of state.getState().calls) {
      if (call.phase === 'pending' && call.callId === progress.callId) putRecord(key, { ...call, progress });
    }
  }

  /** Removes the shown results when the user leaves the page. Inputs, history and pending calls are kept. */
  function leave(): void {
    const pending = [...state.getState().calls].filter(([, { phase }]) => phase === 'pending');
    state.setState({ calls: new Map(pending) });
  }

  return { call, cancel, progressed, leave };
}

export type Inspectors = ReturnType<typeof createInspectors>;

/** Creates the collection of the inspectors of all servers whose tools the user has opened. */
export function createInspectors(create: (server: string) => InspectorStore) {
  const byServer = new Map<string, InspectorStore>();
  return {
    of(server: string): InspectorStore {
      const inspector = byServer.get(server) ?? create(server);
      byServer.set(server, inspector);
      return inspector;
    },
    progressed(progress: CallProgress): void {
      for (const inspector of byServer.values()) inspector.progressed(progress);
    },
  };
}
