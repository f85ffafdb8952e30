import { listMethods } from '../../sessions/list-pages.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../../mcp/rpc-error.ts';
import type { AskRouter } from '../relay/ask-router.ts';
import type { CallParams } from '../relay/call-params.ts';
import { emptyAnswer, type CallAnswer, type CallSteps } from '../relay/call-steps.ts';
import { callerOf } from '../relay/context-id.ts';
import { isLoggingLevel } from '../relay/level-arbiter.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { InboundMessage, MessageId, RelayCall, Reply } from '../types.ts';
import type { ClientSession } from './client-session.ts';

type Request = InboundMessage & { readonly id: MessageId };

const lists: readonly string[] = Object.values(listMethods);

/** Answers a request of a client, with what is owed to its session before. */
export function answerRequest(session: ClientSession, message: Request, reply: Reply): void {
  const { method = '', id, params } = message;
  const recalled = session.recalled();
  session.payTo(reply);
  if (method === 'ping') return reply.end({ jsonrpc: '2.0', id, result: {} });
  const call: RelayCall = { session: session.facts, id, method, params, reply };
  const steps = stepsOf(session, method, params);
  session.relay.relay(
    call,
    recalled ? { ...steps, here: hereAfter(recalled, session, reply, steps) } : steps,
  );
}

/** What the session is owed since an earlier run of the panel goes before the answer to its first request. */
function hereAfter(
  recalled: Promise<void>,
  session: ClientSession,
  reply: Reply,
  { here }: CallSteps,
): NonNullable<CallSteps['here']> {
  return async (params) => {
    await recalled;
    session.payTo(reply);
    return here?.(params);
  };
}

/** A client tells something. What says nothing to a server that others use as well ends here. */
export function takeNotification(session: ClientSession, asks: AskRouter, message: InboundMessage): void {
  const { method = '', params = {} } = message;
  const { requestId, reason } = params;
  switch (method) {
    case 'notifications/initialized':
    case 'notifications/roots/list_changed':
      return;
    case 'notifications/progress':
      return void asks.progressed(session.facts, params);
    case 'notifications/cancelled':
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
      return session.relay.cancel(
        requestId,
        typeof reason === 'string' ? reason : 'The client cancelled it.',
      );
    default:
      return session.relay.notify(message);
  }
}

/** What of a request is done here: where a server has one setting for all its clients, or is not there to be asked. */
function stepsOf(session: ClientSession, method: string, params: CallParams = {}): CallSteps {
  const { uri } = params;
  if (method === 'logging/setLevel') return { here: (whole) => setLevel(session, whole) };
  if (method === 'resources/subscribe' && typeof uri === 'string')
    return { send: (lease) => subscribe(session, uri, lease) };
  if (method === 'resources/unsubscribe' && typeof uri === 'string')
    return { here: () => unsubscribeUnseen(session, uri), send: () => unsubscribe(session, uri) };
  if (method.startsWith('tasks/')) return { here: () => refuseTasks(session) };
  if (lists.includes(method)) return { here: (whole) => knownList(session, method, whole) };
  return {};
}

async function setLevel({ facts, relay }: ClientSession, { level }: CallParams): Promise<CallAnswer> {
  if (!isLoggingLevel(level)) throw new RpcError(INVALID_PARAMS, 'Invalid params: this is no logging level');
  const greeting = await relay.way.greeting();
  refuseIf(greeting !== undefined && !greeting.capabilities.logging);
  relay.way.place().levels.set(facts.nonce, level);
  return emptyAnswer;
}

async function subscribe(session: ClientSession, uri: string, { connection }: Lease): Promise<CallAnswer> {
  connection.callers.note(callerOf(session.facts));
  await session.relay.way.place().subscriptions.subscribe(session, uri);
  return emptyAnswer;
}

async function unsubscribe(session: ClientSession, uri: string): Promise<CallAnswer> {
  await session.relay.way.place().subscriptions.unsubscribe(session, uri);
  return emptyAnswer;
}

/** A server that is not up knows of no subscription, and is not started to be told of the end of one. */
async function unsubscribeUnseen(session: ClientSession, uri: string): Promise<CallAnswer | undefined> {
  return session.relay.way.current() ? undefined : unsubscribe(session, uri);
}

/** Tasks belong to a connection: everybody who shares one could read and cancel those of the others. */
function refuseTasks({ relay }: ClientSession): Promise<undefined> {
  return Promise.resolve().then(() => refuseIf(relay.way.isShared()));
}

/** Pages of a list come from the server alone. */
async function knownList(
  { relay }: ClientSession,
  method: string,
  { cursor }: CallParams,
): Promise<CallAnswer | undefined> {
  const known = cursor === undefined ? await relay.way.knownList(method) : undefined;
  return known && { kind: 'bytes', result: known.result };
}

/** @throws RpcError as a server answers that does not have the method */
function refuseIf(isMissing: boolean): undefined {
  if (isMissing) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
}
