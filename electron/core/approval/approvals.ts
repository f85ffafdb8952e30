import type { Approval, ApprovalDecision, ApprovedBy, KeptDecision } from '../../../shared/approvals.ts';
import { cutText } from '../../../shared/cut-text.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { ownValue } from '../../../shared/own-value.ts';
import type { PanelSettings } from '../../../shared/panel-settings.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import type { Cancellable } from '../wait.ts';
import type { KnownTool } from '../sessions/offer/known-tools.ts';
import type { DecisionsFile, KeptAnswer } from './decisions-file.ts';

/** A tool call that has arrived and has not been sent yet. */
interface ArrivedCall {
  readonly clientId: string;
  readonly clientName: string;
  readonly server: string;
  /** Settings of the server; undefined once it has been removed from the configuration. */
  readonly settings: Pick<PanelSettings, 'approval' | 'calls'> | undefined;
  readonly tool: string;
  /** The server's description of the tool; undefined if its tool list is not known. */
  readonly known: KnownTool | undefined;
  /** Waits for the tool list if it is not known. Rejects if its server does not start. */
  readonly lookUp?: () => Promise<KnownTool | undefined>;
  readonly arguments: unknown;
  /** Aborts when the client has stopped waiting for the call. */
  readonly signal: Cancellable;
}

interface ApprovalsOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly createId: () => string;
  readonly file: DecisionsFile;
  readonly redact: (text: string) => string;
  readonly notice: (line: string) => void;
}

/** Duration of the answer "for 15 minutes", in milliseconds. */
const A_WHILE_MS = 15 * 60_000;
const MAX_SHOWN = 4000;
/** Digest used for a tool that is in no known list. Answers about such a tool are not remembered. */
const UNKNOWN = '';

type Asked = Pick<KeptAnswer, 'clientId' | 'server' | 'tool' | 'digest'>;

interface Waiting {
  readonly shown: Approval;
  readonly clientId: string;
  readonly answered: Deferred<ApprovedBy>;
}

/**
 * Tool calls that wait for the user's approval, and the answers that are remembered. A call is held only if the settings of its
 * server require approval. The creator must dispose of this object.
 */
export class Approvals implements Disposable {
  readonly asked = new Emitter<Approval>();
  readonly changed = new Emitter<void>();
  readonly #options: ApprovalsOptions;
  readonly #waiting = new Map<string, Waiting>();
  #decisions: readonly KeptAnswer[] = [];

  private constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /** Reads the remembered answers. Never rejects. */
  static async open(options: ApprovalsOptions): Promise<Approvals> {
    const approvals = new Approvals(options);
    approvals.#decisions = await options.file.read();
    return approvals;
  }

  /** Waiting calls, the longest-waiting first. */
  get waiting(): readonly Approval[] {
    return [...this.#waiting.values()].map(({ shown }) => shown);
  }

  get decisions(): readonly KeptDecision[] {
    return this.#valid().map(({ clientId: _id, ...shown }) => shown);
  }

  /**
   * Decides whether a call may pass, and asks the user if necessary. Returns undefined if no approval is needed. Rejects with
   * APPROVAL_REFUSED, whose `by` says who or what refused, or with CANCELLED if the client has stopped waiting.
   */
  check(call: ArrivedCall): ApprovedBy | Promise<ApprovedBy | undefined> | undefined {
    const { settings } = call;
    if (!settings || !mustAsk(settings.approval, call)) return undefined;
    const { lookUp, ...rest } = call;
    if (call.known === undefined && lookUp) return lookUp().then((known) => this.check({ ...rest, known }));
    const digest = call.known?.digest ?? UNKNOWN;
    const kept = this.#valid().find((one) => isSame(one, { ...call, digest }));
    if (kept && digest !== UNKNOWN) return kept.until === undefined ? 'always' : '15-min';
    return this.#ask(call, digest, settings.calls.timeoutMs);
  }

  /** @throws PanelError CANCELLED if the call is no longer waiting */
  async answer(id: string, decision: ApprovalDecision): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (!waiting)
      throw new PanelError('CANCELLED', 'The call is no longer waiting.', {
        remedy: 'Its client has given up, or another window has answered.',
      });
    const { shown, clientId } = waiting;
    this.#end(waiting, decision === 'refuse' ? 'refused' : decision);
    if (decision === 'once' || decision === 'refuse' || shown.digest === UNKNOWN) return;
    const { client, server, tool, digest } = shown;
    const until = decision === 'always' ? undefined : this.#options.wallClock.epochMs() + A_WHILE_MS;
    await this.#keep([
      ...this.#decisions,
      { id, clientId, client, server, tool, digest, ...(until && { until }) },
    ]);
    // A remembered answer also applies to the other waiting calls of the same client and tool.
    for (const other of [...this.#waiting.values()])
      if (isSame({ clientId, ...shown }, { clientId: other.clientId, ...other.shown }))
        this.#end(other, decision);
  }

  /** Removes a remembered answer, so that the user is asked again. */
  revoke(id: string): Promise<void> {
    return this.#keep(this.#decisions.filter((one) => one.id !== id));
  }

  /** Ends all waiting calls, so that none of them is run. */
  dispose(): void {
    for (const waiting of [...this.#waiting.values()]) this.#end(waiting, 'left');
  }

  #ask(call: ArrivedCall, digest: string, timeoutMs: number): Promise<ApprovedBy> {
    const { clock, createId, redact, wallClock } = this.#options;
    const { clientId, clientName: client, server, tool, known, signal } = call;
    const since = wallClock.epochMs();
    const text = (words: string) => cutText(redact(words), MAX_SHOWN, 'end').text;
    const shown: Approval = {
      id: createId(),
      ...{ client, server, tool, digest, since, until: since + timeoutMs },
      isMarked: known?.isMarked ?? true,
      ...(known?.description !== undefined && { description: text(known.description) }),
      ...(call.arguments !== undefined && { arguments: text(JSON.stringify(call.arguments, null, 2)) }),
    };
    const waiting: Waiting = { shown, clientId, answered: createDeferred() };
    const timer = clock.setTimeout(() => this.#end(waiting, 'timeout'), timeoutMs);
    const leave = () => this.#end(waiting, 'left');
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.set(shown.id, waiting);
    this.changed.emit();
    this.asked.emit(shown);
    return waiting.answered.promise.finally(() => {
      timer.dispose();
      signal.removeEventListener('abort', leave);
    });
  }

  /**
   * Ends the wait of a call for approval. Only the first call of this method has an effect, so that a tool call passes at most
   * once. @param end the user's answer, or why there is none: the time has run out (`timeout`), or the client has stopped
   * waiting (`left`)
   */
  #end({ shown, answered }: Waiting, end: ApprovedBy | 'left'): void {
    if (!this.#waiting.delete(shown.id)) return;
    if (end === 'left') answered.reject(new PanelError('CANCELLED', 'No client is waiting for the call.'));
    else if (end === 'refused' || end === 'timeout') answered.reject(refusal(shown, end));
    else answered.resolve(end);
    this.changed.emit();
  }

  #valid(): readonly KeptAnswer[] {
    const now = this.#options.wallClock.epochMs();
    // If the clock was set back, an answer given for 15 minutes must not be valid for longer than that.
    return this.#decisions.filter(
      ({ until }) => until === undefined || (until > now && until <= now + A_WHILE_MS),
    );
  }

  async #keep(decisions: readonly KeptAnswer[]): Promise<void> {
    this.#decisions = decisions;
    await this.#options.file.write(this.#valid()).catch(() => {
      this.#options.notice(
        'Answers are kept only until the panel quits: approvals.json could not be written.',
      );
    });
  }
}

function mustAsk({ ask, tools }: PanelSettings['approval'], { tool, known }: ArrivedCall): boolean {
  const own = tools && ownValue(tools, tool);
  return own ?? (ask === 'all' || (ask === 'marked' && (known?.isMarked ?? true)));
}

/** True if an answer to one question also applies to the other: the same client, and the same tool with the same description. */
function isSame(one: Asked, other: Asked): boolean {
  return (['clientId', 'server', 'tool', 'digest'] as const).every((field) => one[field] === other[field]);
}

const refusal = ({ client, tool }: Approval, by: ApprovedBy): PanelError =>
  new PanelError(
    'APPROVAL_REFUSED',
    by === 'refused'
      ? `The user refused to let ${client} call "${tool}". The call was not sent.`
      : `The user did not answer whether ${client} may call "${tool}". The call was not sent.`,
    { data: { by } },
  );
