import type { z } from 'zod';
import type { ErrorReport } from './error-codes.ts';
import type { CallName, Calls, PushName, pushes } from './ipc/topics.ts';

export type { ServerCall } from './ipc/topics/sessions.ts';

type CallArgs<N extends CallName> = z.output<Calls[N]['args']>;
type CallResult<N extends CallName> = z.output<Calls[N]['result']>;
export type PushPayload<N extends PushName> = z.output<(typeof pushes)[N]>;

/** Reply as sent over IPC. An error is sent as data, because Electron keeps only the message of a thrown error. */
export type Reply<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorReport };

/** Handlers of all calls, one handler per call. */
export type CallHandlers = { readonly [N in CallName]: (...args: CallArgs<N>) => Promise<CallResult<N>> };

/** Sources of the pushes: each takes a listener and returns the unsubscribe function. */
export type PushSources = {
  readonly [N in PushName]: (listener: (payload: PushPayload<N>) => void) => () => void;
};

/** Type of `window.controlPanel`. A rejection is a plain object `{ code, message }`. */
export type ControlPanelApi = CallHandlers & PushSources;
