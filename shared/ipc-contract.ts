import { z } from 'zod';
import { connectionTestSchema, entrySchema, importsSchema, snippetSchema } from './manage.ts';
import { panelFiguresSchema } from './panel-figures.ts';
import { settingsSchema } from './settings.ts';
import {
  callOutcomeSchema,
  callProgressSchema,
  offerSchema,
  outputLineSchema,
  pushSchema,
  sampleSchema,
  sessionsViewSchema,
  snapshotSchema,
} from './domain.ts';
import { updateStateSchema, updateStepSchema } from './updates.ts';
import type { ErrorReport } from './error-codes.ts';
import { callTimeoutMsSchema, healthPatchSchema, limitPatchSchema } from './panel-settings.ts';
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
/** Names a server that should be there. One that could never be is as unknown as any other. */
const knownNameSchema = z.string().max(200);
const named = z.tuple([knownNameSchema]);

/** A named entry: what `putServer` takes. The entry itself is checked again, with paths, where it is written. */
const namedEntrySchema = z.looseObject({ name: serverNameSchema });
export type NamedEntry = z.input<typeof serverEntrySchema> & { name: string };

/** What an edit is based on: the entry as it was read, under the name that it had then; null where there was none. */
const editBasisSchema = z.object({
  basedOn: z.nullable(z.object({ name: z.string(), entry: z.record(z.string(), z.unknown()) })),
});
export type EditBasis = z.infer<typeof editBasisSchema>;

/** Free text that names something: a call, or who makes it. */
const labelSchema = z.string().min(1).max(200);

/** One call to a server. */
export const serverCallSchema = z.object({
  /** Chosen by the caller, unique among its calls under way: for progress and for cancelling. */
  callId: labelSchema,
  // Not `labelSchema.optional()`: the preload's bundler knows only calls on `z` to be without effect.
  /** On whose behalf; `window` unless given. Each context has a lease of its own. */
  context: z.optional(labelSchema),
  name: knownNameSchema,
  method: z.enum(['tools/call', 'prompts/get', 'resources/read']),
  params: z.record(z.string(), z.unknown()),
  /** Longest time without progress, for this call alone; also for a place to make it in. The server's setting unless given. */
  timeoutMs: z.optional(callTimeoutMsSchema),
});
export type ServerCall = z.infer<typeof serverCallSchema>;

/**
 * The whole surface between main and renderer. A key is the function's name on `window.controlPanel`;
 * main, preload and renderer derive from this object, and no channel name stands anywhere else.
 */
export const calls = {
  getSnapshot: call(z.tuple([]), snapshotSchema),
  startServer: call(named, nothing),
  stopServer: call(named, nothing),
  restartServer: call(named, nothing),
  /**
   * With a basis, only while the file still holds what it names; a basis under another name is renamed. Without, whatever
   * the file holds.
   */
  putServer: call(z.tuple([namedEntrySchema, z.optional(editBasisSchema)]), nothing),
  removeServer: call(named, nothing),
  getHistory: call(z.tuple([knownNameSchema, z.number().min(0)]), z.array(sampleSchema)),
  /** A stall verdict was wrong: sets `health.onStall` of the server to `notify`. */
  disputeVerdict: call(named, nothing),
  /** Sets what the patch names under `panel.limits` of the server's entry. It applies at once. */
  setLimits: call(z.tuple([knownNameSchema, limitPatchSchema]), nothing),
  /** Sets what the patch names under `panel.health` of the server's entry. It applies at once. */
  setHealth: call(z.tuple([knownNameSchema, healthPatchSchema]), nothing),
  /** Lines of stderr with an id above the given one, oldest first. */
  getOutput: call(z.tuple([knownNameSchema, z.number().int().min(0)]), z.array(outputLineSchema)),
  /** The last lines of stderr that earlier launches of the panel left, oldest first. Their ids end at 0. */
  getEarlierOutput: call(named, z.array(outputLineSchema)),
  /** How the server is shared, and the sessions that are open. */
  getSessions: call(named, sessionsViewSchema),
  /** Ends the leases of the session of that generation; nothing happens when it has ended. A process of its own ends with it. */
  evictSession: call(z.tuple([knownNameSchema, z.number().int()]), nothing),
  setSharing: call(z.tuple([knownNameSchema, z.enum(['auto', 'shared', 'exclusive'])]), nothing),
  /** What the running server offers. */
  getOffer: call(named, offerSchema),
  /** Starts the server if it is stopped. */
  callServer: call(z.tuple([serverCallSchema]), callOutcomeSchema),
  getEntry: call(named, entrySchema),
  setEnabled: call(z.tuple([knownNameSchema, z.boolean()]), nothing),
  /** Reads a text copied from a README or another client; nothing is taken over. */
  parseSnippet: call(z.tuple([z.string().max(1_000_000)]), snippetSchema),
  /** Starts the server of an entry aside, shakes hands, lists its tools, and leaves nothing of it. */
  testConnection: call(z.tuple([namedEntrySchema]), connectionTestSchema),
  /** What the panel itself costs, and how late its main loop is. */
  getPanelFigures: call(z.tuple([]), panelFiguresSchema),
  getSettings: call(z.tuple([]), z.object({ settings: settingsSchema })),
  /** Sets what the patch names. */
  putSettings: call(z.tuple([z.record(z.string(), z.unknown())]), nothing),
  /** Looks at the files of other clients on this machine; nothing is taken over. */
  findImports: call(z.tuple([]), importsSchema),
  /** Nothing happens when no such call is under way. */
  cancelCall: call(z.tuple([labelSchema]), nothing),
  /** What is known of newer versions of the panel. Asks nobody. */
  getUpdateState: call(z.tuple([]), updateStateSchema),
  /** Resolves with what is known then; a step that does not follow changes nothing. `UNREACHABLE` when it failed. */
  takeUpdateStep: call(z.tuple([updateStepSchema]), updateStateSchema),
} as const;

/** Main to renderer. */
export const pushes = {
  /** What has changed: figures with each tick, everything else at once. */
  onPush: pushSchema,
  /** Progress of a call made with `callServer`, before its outcome; of fast progress only the latest. */
  onCallProgress: callProgressSchema,
} as const;

export type CallName = keyof typeof calls;
export type PushName = keyof typeof pushes;
export type CallArgs<N extends CallName> = z.output<(typeof calls)[N]['args']>;
export type PushPayload<N extends PushName> = z.output<(typeof pushes)[N]>;
export type CallResult<N extends CallName> = z.output<(typeof calls)[N]['result']>;

/** The channel that carries a call or push. */
export const channelOf = (name: CallName | PushName): string => `control-panel:${name}`;

/** What crosses the wire: errors travel as data, since Electron keeps only the message of a thrown one. */
export type Reply<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorReport };

/** One handler per call: a missing one does not compile. */
export type CallHandlers = { readonly [N in CallName]: (...args: CallArgs<N>) => Promise<CallResult<N>> };

/** Where pushes come from: each takes a listener and returns the undo. */
export type PushSources = {
  readonly [N in PushName]: (listener: (payload: PushPayload<N>) => void) => () => void;
};

/** `window.controlPanel`. A rejection is a plain object `{ code, message }`. */
export type ControlPanelApi = {
  readonly [N in CallName]: (...args: CallArgs<N>) => Promise<CallResult<N>>;
} & PushSources;
