import type { ApprovedBy } from '../../../../shared/approvals.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallOptions } from '../../mcp/mcp-connection.ts';
import { rpcErrorIn } from '../../mcp/rpc-error.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { KnownTool } from '../../sessions/offer/known-tools.ts';
import { listedBy } from '../../sessions/offer/list-pages.ts';
import type { GatewayReply } from '../types.ts';
import type { Settled } from './access.ts';
import type { EndTurn } from '../upstream/turn-line.ts';
import {
  resultTo,
  closeUnanswered,
  errorTo,
  isToolError,
  outcomeOfError,
  ownProgress,
  progressTokenIn,
  refuserIn,
  targetIn,
  waitedInVain,
  type CallAnswer,
  type CallParams,
  type RelayedOutcome,
} from './answers.ts';
import { checkUse, knownTool, lookUpTool, seenList, whenUsable, type ClientOffer } from './agreed.ts';
import {
  CallAbort,
  type CallingSession,
  type CallParts,
  type CallSteps,
  type CallWait,
  type ClientRequest,
} from './call-parts.ts';

/** Interval in ms of the panel's own progress for a silent call, because some clients end a call after 60 s without progress. */
const SILENT_PROGRESS_MS = 20_000;
/** Milliseconds after which a call is cancelled if its response is closed and its client has sent nothing more. */
const ABANDONED_MS = 60_000;

/** One request of a client, from its arrival until its reply has ended. It is sent to the server at most once. */
export class ClientCall {
  readonly request: ClientRequest;
  readonly reply: GatewayReply;
  readonly startedAtMs: number;
  /** Name of the tool or prompt, if the method has one. */
  readonly target: string | undefined;
  readonly #options: CallParts;
  readonly #session: CallingSession<ClientCall>;
  readonly #steps: CallSteps;
  readonly #params: CallParams;
  /** True for tool calls. Only they show whether a server answers one call at a time, and only they wait for their turn. */
  readonly #isTool: boolean;
  readonly #abort = new CallAbort();
  /** Cached offer of the server (its lists as this client sees them); undefined after each wait, because it may have changed. */
  #offerNow: ClientOffer | undefined;
  /** What the call waits for: the server, earlier calls, or a decision of the user; undefined while it does not wait. */
  #waitsFor: CallWait | undefined;
  /** Who approved or refused the call. */
  approvedBy: ApprovedBy | undefined;
  isToolError = false;
  #isCancelled = false;
  /**
   * Monotonic time at which the call was sent, or of the panel's last own progress message; undefined before the call is sent,
   * and once the server itself has sent progress.
   */
  #silentSinceMs: number | undefined;

  constructor(
    options: CallParts,
    session: CallingSession<ClientCall>,
    request: ClientRequest,
    reply: GatewayReply,
    steps: CallSteps,
  ) {
    this.#options = options;
    this.#session = session;
    this.#steps = steps;
    this.#params = request.params ?? {};
    this.request = request;
    this.reply = reply;
    this.target = targetIn(this.#params);
    this.#isTool = request.method === 'tools/call';
    this.startedAtMs = options.clock.now();
  }

  /** Executes the call; sends it before returning if it need not wait. Resolves when the reply has ended; never rejects. */
  async carryOut(): Promise<void> {
    const { here } = this.#steps;
    let outcome: RelayedOutcome = 'result';
    try {
      const known = here && (await here(this.#params));
      this.#abort.throwIfAborted();
      const approval = this.#isTool && this.#approve();
      if (approval) await this.#approved(approval);
      const answer = known ?? (await this.#ask());
      const list = known || this.#isTool ? undefined : listedBy(this.request.method);
      this.#answer(list && answer.kind !== 'bytes' ? seenList(this.#offer(), list, answer) : answer);
    } catch (error) {
      this.approvedBy = refuserIn(error) ?? this.approvedBy;
      this.#fail(error);
      outcome = outcomeOfError(error, this.#isCancelled);
    }
    this.#session.callEnded(this, outcome);
  }

  /** Cancels the call for its client: it gets no answer (MCP specification, cancellation), and the server is notified. */
  cancel(reason: string): void {
    this.#isCancelled = true;
    this.#abort.abort(new PanelError('CANCELLED', reason));
  }

  /** Sends progress for a waiting or silent call, and cancels a call whose client has left. Called about once a second. */
  tick(nowMs: number): void {
    const silentMs = nowMs - (this.#silentSinceMs ?? nowMs);
    if (this.#waitsFor) this.#waited(nowMs - this.startedAtMs, this.#waitsFor);
    else if (silentMs >= SILENT_PROGRESS_MS) this.#stillWorks(nowMs);
    if (!this.reply.isOpen && this.#session.silentMs(nowMs) >= ABANDONED_MS)
      this.cancel('The client has left.');
  }

  /** The called tool, as its list describes it. */
  get known(): KnownTool | undefined {
    return this.#isTool ? knownTool(this.#offer(), this.target) : undefined;
  }

  #approve() {
    const { access, clientName, facts } = this.#session;
    return this.#options.approvals?.check({
      clientId: facts.clientId,
      clientName,
      server: facts.server,
      settings: access.server?.config.panel,
      tool: this.target ?? '',
      known: this.known,
      lookUp: () => lookUpTool(this.#offer(), this.target, () => access.acquire(this.#abort.signal)),
      arguments: this.#params['arguments'],
      signal: this.#abort,
    });
  }

  /** Waits for the user's approval, and again if the tool changes meanwhile. A call whose client has left is not sent. */
  async #approved(approval: ApprovedBy | Promise<ApprovedBy | undefined>): Promise<void> {
    const asked = this.known;
    this.approvedBy = approval instanceof Promise ? await this.#wait('answer', approval) : approval;
    this.#abort.throwIfAborted();
    if (!this.reply.isOpen) throw new PanelError('CANCELLED', 'The client has left.');
    const again = asked && asked.digest !== this.known?.digest && this.#approve();
    if (again) await this.#approved(again);
  }

  #ask(): Promise<CallAnswer> {
    const { access } = this.#session;
    const settled = access.settle();
    if (this.#isTool && settled.answersInTurn) return this.#askInTurn(settled);
    return this.#send(access.current(settled));
  }

  async #askInTurn(settled: Settled): Promise<CallAnswer> {
    const { access, facts } = this.#session;
    const end = settled.upstream.line.tryEnter(facts.nonce) ?? (await this.#waitForTurn());
    try {
      const answer = await this.#send(access.current());
      end(true);
      return answer;
    } catch (error) {
      end(rpcErrorIn(error) !== undefined);
      throw error;
    }
  }

  async #waitForTurn(): Promise<EndTurn> {
    const { clock, onTurnWaited } = this.#options;
    const { access, facts } = this.#session;
    const beganAtMs = clock.now();
    try {
      return await this.#wait('turn', access.enterLine(this.#abort.signal));
    } finally {
      onTurnWaited({ ...facts, waitedMs: clock.now() - beganAtMs });
    }
  }

  /** Sends the request. It is sent immediately if nothing has to be waited for, because a wait would be expensive. */
  #send(open: Lease | undefined): Promise<CallAnswer> {
    if (open && !whenUsable(this.#offer(), this.request.method)) return this.#sendNow(open);
    return this.#whenReady(open).then((lease) => this.#sendNow(lease));
  }

  async #whenReady(open: Lease | undefined): Promise<Lease> {
    const { access, facts } = this.#session;
    const acquire = () => this.#wait('server', access.acquire(this.#abort.signal));
    if (!open && access.server?.stateKind === 'asleep')
      this.#ownProgress(this.#options.clock.now() - this.startedAtMs, `waking ${facts.server}`);
    const lease = open ?? (await acquire());
    const reading = whenUsable(this.#offer(), this.request.method);
    if (reading) await this.#wait('server', reading);
    // The server may have been put to sleep meanwhile.
    return lease.hasEnded ? acquire() : lease;
  }

  /** @throws the errors of `checkUse`, which checks that the client may use the tool, prompt or resource as it is defined now */
  #sendNow(lease: Lease): Promise<CallAnswer> {
    checkUse(this.#offer(), this.request.method, this.#params);
    this.#abort.throwIfAborted();
    if (this.#steps.send) return this.#steps.send(lease);
    const { access, facts: session } = this.#session;
    this.#silentSinceMs = this.#options.clock.now();
    const end = access.upstream.begin({ session, reply: this.reply }, this.#isTool);
    const sent = lease.requestRaw(this.request.method, this.#params, this.#callOptions());
    // Registered before any other handler of the answer, because the order in which calls end is used to detect whether the
    // server answers one call at a time.
    sent.then(() => end(), end);
    return sent;
  }

  #offer(): ClientOffer {
    if (this.#offerNow) return this.#offerNow;
    const { access, facts, hidden } = this.#session;
    const { catalogue } = this.#options;
    return (this.#offerNow = { catalogue, key: access.offerKey, client: facts.clientId, hidden });
  }

  async #wait<T>(wait: CallWait, promise: Promise<T>): Promise<T> {
    this.#waitsFor = wait;
    try {
      return await promise;
    } finally {
      this.#waitsFor = undefined;
      this.#offerNow = undefined;
    }
  }

  /** Options that forward progress to a client that asked for progress, with the token that the client chose. */
  #callOptions(): CallOptions {
    const progressToken = progressTokenIn(this.#params);
    const options = { cancellation: this.#abort, client: this.#session.clientName };
    if (progressToken === undefined) return options;
    return {
      ...options,
      onProgress: (progress) => {
        this.#silentSinceMs = undefined;
        this.#stream({ ...progress, progressToken });
      },
    };
  }

  /** Sends the panel's own progress, so that a client's time limit does not end a call on which its server is still working. */
  #stillWorks(nowMs: number): void {
    const { access, facts } = this.#session;
    this.#silentSinceMs = nowMs;
    // Sent only while the supervisor reports the server as running; in any other state, it may be useless to keep the client
    // waiting.
    if (access.server?.stateKind === 'running')
      this.#ownProgress(nowMs - this.startedAtMs, `${facts.server} is still working`);
  }

  /** Sends progress to a client that asked for it. */
  #ownProgress(elapsedMs: number, words: string): void {
    const progressToken = progressTokenIn(this.#params);
    if (progressToken !== undefined) this.#stream(ownProgress(elapsedMs, words, progressToken));
  }

  #waited(waitedMs: number, wait: CallWait): void {
    const { access, facts } = this.#session;
    if (wait === 'answer')
      return this.#ownProgress(waitedMs, "waiting for the user's answer in MCP Control Panel");
    const turnTimeoutMs = access.server?.config.panel.calls.timeoutMs ?? 0;
    if (wait === 'turn' && waitedMs >= turnTimeoutMs)
      return this.#abort.abort(waitedInVain(facts.server, waitedMs));
    this.#ownProgress(waitedMs, access.waitWords(wait));
  }

  #stream(params: Record<string, unknown>): void {
    if (this.reply.isOpen) this.reply.stream({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  #answer(answer: CallAnswer): void {
    this.isToolError = this.#isTool && isToolError(answer);
    if (!this.reply.isOpen) return;
    // The bytes of a long tool answer can be freed once they are written, because only this client uses them. Long lists are
    // also read for the catalogue of stored lists.
    const isOwn = this.#isTool && answer.kind === 'long';
    this.reply.end(resultTo(this.request.id, answer), isOwn ? () => answer.message.free() : undefined);
  }

  #fail(error: unknown): void {
    const { reply } = this;
    if (!reply.isOpen) return;
    if (this.#isCancelled) return closeUnanswered(reply);
    reply.end(errorTo(this.request.id, error, this.#session.facts.server, this.#options.redact));
  }
}
