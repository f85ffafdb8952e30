import { z } from 'zod';
import { outputLineSchema, pushSchema, sampleSchema, snapshotSchema } from './domain.ts';
import type { ErrorReport } from './error-codes.ts';
import { type serverEntrySchema, serverNameSchema } from './server-config.ts';

interface Call<Args extends z.ZodTuple, Result extends z.ZodType> {
  readonly args: Args;
  readonly result: Result;
}

const call = <Args extends z.ZodTuple, Result extends z.ZodType>(
  args: Args,
  result: Result,
): Call<Args, Result> => ({
  args,
  result,
});

const nothing = z.undefined();
const named = z.tuple([serverNameSchema]);

/** A named entry: what `putServer` takes. The entry itself is checked again, with paths, where it is written. */
const namedEntrySchema = z.looseObject({ name: serverNameSchema });
export type NamedEntry = z.input<typeof serverEntrySchema> & { name: string };

/**
 * The whole surface between main and renderer. A key is the function's name on `window.controlPanel`;
 * main, preload and renderer derive from this object, and no channel name stands anywhere else.
 */
export const calls = {
  getSnapshot: call(z.tuple([]), snapshotSchema),
  startServer: call(named, nothing),
  stopServer: call(named, nothing),
  restartServer: call(named, nothing),
  putServer: call(z.tuple([namedEntrySchema]), nothing),
  removeServer: call(named, nothing),
  getHistory: call(z.tuple([serverNameSchema, z.number().min(0)]), z.array(sampleSchema)),
  /** A stall verdict was wrong: sets `health.onStall` of the server to `notify`. */
  disputeVerdict: call(named, nothing),
  /** Lines of stderr with an id above the given one, oldest first. */
  getOutput: call(z.tuple([serverNameSchema, z.number().int().min(0)]), z.array(outputLineSchema)),
} as const;

/** Main to renderer, one per telemetry tick at most. */
export const pushes = { onPush: pushSchema } as const;

export type CallName = keyof typeof calls;
export type PushName = keyof typeof pushes;
export type CallArgs<N extends CallName> = z.output<(typeof calls)[N]['args']>;
export type CallResult<N extends CallName> = z.output<(typeof calls)[N]['result']>;

/** The channel that carries a call or push. */
export const channelOf = (name: CallName | PushName): string => `control-panel:${name}`;

/** What crosses the wire: errors travel as data, since Electron keeps only the message of a thrown one. */
export type Reply<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorReport };

/** One handler per call: a missing one does not compile. */
export type CallHandlers = { readonly [N in CallName]: (...args: CallArgs<N>) => Promise<CallResult<N>> };

/** `window.controlPanel`. A rejection is a plain object `{ code, message }`. */
export type ControlPanelApi = {
  readonly [N in CallName]: (...args: CallArgs<N>) => Promise<CallResult<N>>;
} & {
  readonly [N in PushName]: (listener: (payload: z.output<(typeof pushes)[N]>) => void) => () => void;
};
