import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../../mcp/rpc-error.ts';
import { listMethods } from '../../sessions/offer/list-pages.ts';
import type { Lease } from '../../sessions/lease.ts';
import { callerOf, type SessionChannel } from '../upstream/callers-in-flight.ts';
import { isLoggingLevel } from '../upstream/log-levels.ts';
import { refuseHidden } from './agreed.ts';
import { withoutTools } from './without-tools.ts';
import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ServerAccess } from './access.ts';
import { emptyAnswer, type CallAnswer, type CallParams } from './answers.ts';
import type { CallSteps, ClientRequest } from './call-parts.ts';

/** A session that sends a request. */
interface AskingSession extends SessionChannel {
  readonly access: ServerAccess;
  readonly hidden: ReadonlySet<string> | undefined;
}

/** Steps of a request that is sent to the server unchanged: none. */
const PLAIN: CallSteps = {};
const lists: readonly string[] = Object.values(listMethods);

/**
 * Returns the steps of a request that the gateway handles itself, because the server has only one setting for all its clients
 * (log level, subscriptions), because it may be answered while the server is down, or because it is refused. For any other
 * request, returns no steps.
 */
export function stepsOf(session: AskingSession, { method, params = {} }: ClientRequest): CallSteps {
  const { name, uri } = params;
  const { hidden } = session;
  if (method === 'tools/call') {
    if (!hidden || typeof name !== 'string') return PLAIN;
    return { here: () => Promise.resolve().then(() => refuseHidden(hidden, name)) };
  }
  if (method === 'logging/setLevel') return { here: (whole) => setLevel(session, whole) };
  if (method === 'resources/subscribe' && typeof uri === 'string')
    return { send: (lease) => subscribe(session, uri, lease) };
  if (method === 'resources/unsubscribe' && typeof uri === 'string')
    return { here: () => unsubscribeUnseen(session, uri), send: () => unsubscribe(session, uri) };
  if (method.startsWith('tasks/')) return { here: () => refuseTasks(session) };
  if (lists.includes(method)) return { here: (whole) => knownList(session, method, whole) };
  return PLAIN;
}

async function setLevel({ facts, access }: AskingSession, { level }: CallParams): Promise<CallAnswer> {
  if (!isLoggingLevel(level)) throw new RpcError(INVALID_PARAMS, 'Invalid params: this is no logging level');
  const greeting = await access.greeting();
  refuseIf(greeting !== undefined && !greeting.capabilities.logging);
  access.settle().upstream.levels.set(facts.nonce, level);
  return emptyAnswer;
}

async function subscribe(session: AskingSession, uri: string, { connection }: Lease): Promise<CallAnswer> {
  connection.callers.note(callerOf(session.facts));
  await session.access.settle().upstream.subscriptions.subscribe(session, uri);
  return emptyAnswer;
}

async function unsubscribe(session: AskingSession, uri: string): Promise<CallAnswer> {
  await session.access.settle().upstream.subscriptions.unsubscribe(session, uri);
  return emptyAnswer;
}

/**
 * Answers an unsubscribe request while the server is down. The server then has no subscription to remove, so it is not started.
 */
async function unsubscribeUnseen(session: AskingSession, uri: string): Promise<CallAnswer | undefined> {
  return session.access.current() ? undefined : unsubscribe(session, uri);
}

/** Refuses tasks, which belong to a connection: every client that shares it could read and cancel the tasks of others. */
function refuseTasks({ access }: AskingSession): Promise<undefined> {
  return Promise.resolve().then(() => refuseIf(access.isShared()));
}

/** Answers with the stored list. Requests for a further page are sent only to the server. */
async function knownList(
  { access, hidden }: AskingSession,
  method: string,
  { cursor }: CallParams,
): Promise<CallAnswer | undefined> {
  const known = cursor === undefined ? await access.knownList(method) : undefined;
  if (!known) return undefined;
  if (!hidden || method !== listMethods.tools) return { kind: 'bytes', result: known.result };
  return { kind: 'parsed', result: withoutTools(JSON.parse(known.result.toString()), hidden) as JsonObject };
}

/** Throws the same error as a server without the method. @throws RpcError */
function refuseIf(isMissing: boolean): undefined {
  if (isMissing) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
}
