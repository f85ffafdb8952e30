import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../../shared/error-codes.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/json-object.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { OwnCheckSettings, PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { outputExcerpt } from '../../mcp/malformed-output.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';

/** Number of consecutive failures of the user's check after which the server is judged to be suspect. */
const FAILURES = 3;
/** Maximum characters of an answer that are shown; `outputExcerpt` keeps the same number. */
const SHOWN_CHARACTERS = 200;
const MAX_PAGES = 20;

/** The user's own check that has failed often enough to count. */
export interface FailedCheck {
  /** Text that says which check failed, how often, and how the last time. */
  readonly words: string;
  readonly onFail: OwnCheckSettings['onFail'];
}

interface OwnCheckOptions {
  readonly clock: Clock;
  readonly connection: Pick<McpConnection, 'request' | 'onCallEnded' | 'lastAnswerAtMs' | 'ledger'>;
  readonly settings: () => PanelSettings;
}

/**
 * The user's own health check (`health.check`) of one connection: a tool call or a resource read. The monitor runs one check at
 * a time, and only while no call is in flight. A failure is not counted if a call was in flight during the check. The owner of
 * the connection disposes this object together with it.
 */
export class OwnCheck implements Disposable {
  readonly #options: OwnCheckOptions;
  readonly #undo: () => void;
  /** Settings of the current check. The fields below describe its state. */
  #check: OwnCheckSettings | undefined;
  #dueAtMs = Infinity;
  #failures = 0;
  #problem = '';
  #sentAtMs = -Infinity;
  #running: AbortController | undefined;
  /** Time when the panel stopped waiting for the last check's answer; undefined if that check ended in another way. */
  #givenUpAtMs: number | undefined;
  #metCall = false;

  constructor(options: OwnCheckOptions) {
    this.#options = options;
    this.#undo = options.connection.onCallEnded(() => (this.#metCall = true));
  }

  get isDue(): boolean {
    this.#renew();
    return this.#running === undefined && this.#options.clock.now() >= this.#dueAtMs;
  }

  get failed(): FailedCheck | undefined {
    this.#renew();
    if (this.#check === undefined || this.#failures < FAILURES) return undefined;
    const { tool, resource = '', onFail } = this.#check;
    const words = `health check "${tool ?? resource}" failed ${this.#failures} times: ${this.#problem}`;
    return { words, onFail };
  }

  /**
   * Time until which a check is accepted as an excuse for the server's silence, just as a call is. A check that the panel no
   * longer waits for may still block the server.
   */
  get excusesUntilMs(): number {
    const { connection, settings } = this.#options;
    const mayHold =
      this.#running !== undefined ||
      (this.#givenUpAtMs !== undefined && connection.lastAnswerAtMs <= this.#givenUpAtMs);
    return mayHold ? this.#sentAtMs + settings().calls.timeoutMs : -Infinity;
  }

  run(): void {
    const { clock, connection } = this.#options;
    const check = this.#check;
    if (check === undefined) return;
    const running = (this.#running = new AbortController());
    this.#sentAtMs = clock.now();
    this.#givenUpAtMs = undefined;
    this.#metCall = false;
    void this.#problemOf(check, running.signal).then((problem) => {
      if (this.#running !== running) return;
      this.#running = undefined;
      const isBeside = this.#metCall || connection.ledger.size > 0;
      if (problem === undefined) this.#failures = 0;
      else if (!isBeside) {
        this.#failures += 1;
        this.#problem = problem;
      }
      this.#dueAtMs = clock.now() + this.#pauseMs(check);
    });
  }

  dispose(): void {
    this.#undo();
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Resets the state if the user has added, changed or removed the check. */
  #renew(): void {
    const { clock, settings } = this.#options;
    const { check } = settings().health;
    if (check === this.#check || isDeepStrictEqual(check, this.#check)) return;
    this.#check = check;
    this.#failures = 0;
    if (this.#running) this.#givenUpAtMs = clock.now();
    this.#running?.abort();
    this.#running = undefined;
    this.#dueAtMs = check === undefined ? Infinity : clock.now() + check.everyMs;
  }

  /**
   * Returns the pause before the next check. The server may still be working on checks that the panel no longer waits for. The
   * pause is therefore longer once the check keeps failing, so that such checks do not pile up.
   */
  #pauseMs({ everyMs }: OwnCheckSettings): number {
    const isPilingUp = this.#givenUpAtMs !== undefined && this.#failures >= FAILURES;
    return isPilingUp ? Math.max(everyMs, this.#options.settings().calls.timeoutMs) : everyMs;
  }

  /** Runs the check once. Returns the reason for its failure as text for display; undefined if it succeeded. */
  async #problemOf(check: OwnCheckSettings, signal: AbortSignal): Promise<string | undefined> {
    const { tool, arguments: args = {}, resource: uri, expect = '' } = check;
    let problem: string;
    try {
      const result = await (tool === undefined
        ? this.#ask('resources/read', { uri }, signal)
        : this.#ask('tools/call', { name: tool, arguments: args }, signal));
      const text = textOf(result);
      if (result['isError'] !== true)
        return text.includes(expect) ? undefined : `the answer lacks "${shown(expect)}"`;
      problem = shown(text) || 'the tool reports an error without text';
    } catch (error) {
      if (error instanceof PanelError && error.code === 'REQUEST_TIMEOUT') return this.#giveUp();
      problem = shown(messageOf(error));
    }
    const isGone = tool !== undefined && (await this.#isGone(tool, signal).catch(() => false));
    return isGone ? 'the server no longer offers this tool' : problem;
  }

  #giveUp(): string {
    const nowMs = this.#options.clock.now();
    this.#givenUpAtMs = nowMs;
    return `no answer for ${Math.round((nowMs - this.#sentAtMs) / 1000)} s`;
  }

  async #isGone(tool: string, signal: AbortSignal): Promise<boolean> {
    let params: JsonObject = {};
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { tools, nextCursor } = await this.#ask('tools/list', params, signal);
      const isListed = (item: unknown) => isJsonObject(item) && item['name'] === tool;
      if (!Array.isArray(tools) || tools.some(isListed)) return false;
      if (typeof nextCursor !== 'string') return true;
      params = { cursor: nextCursor };
    }
    return false;
  }

  #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { connection, settings } = this.#options;
    const timeoutMs = settings().health.stallThresholdMs;
    return connection.request(
      method,
      { ...params },
      { signal, timeoutMs, isOwnQuestion: true, isCheck: true },
    );
  }
}

/** Returns all text in the answer to a tool call or a resource read. */
function textOf({ content, contents }: JsonObject): string {
  const parts: readonly unknown[] = [content, contents].flat();
  const texts = parts.map((part) => (isJsonObject(part) ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/**
 * Returns the beginning of a server's text as one line. The text is cut between words, because half a secret would not be
 * recognized as a secret and would not be masked.
 */
function shown(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return outputExcerpt(Buffer.from(text));
  const end = Math.max(0, text.lastIndexOf(' ', SHOWN_CHARACTERS));
  return `${outputExcerpt(Buffer.from(text.slice(0, end)))} …`;
}
