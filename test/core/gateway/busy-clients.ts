import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import {
  connectClient,
  type ConnectedClient,
  type Endpoint,
} from '../../fixtures/gateways/connect-client.ts';

/** The deadline of each call; one that is not answered by then hangs. */
const CALL_MS = 10_000;
/** The pause of a client whose call failed, so that it does not fail a thousand times a second. */
const PAUSE_MS = 20;
const SOON_MS = 15_000;

/** A JSON-RPC error that a call ended with, or the trouble of the connection where there is no code. */
export interface Failure {
  readonly code: number | undefined;
  readonly message: string;
  readonly data: { readonly code?: string; readonly server?: string; readonly remedy?: string } | undefined;
}

/** Calls `echo` without end. Whatever it is told beside its own answers is kept. */
export class BusyClient {
  readonly #connected: ConnectedClient;
  readonly #name: string;
  readonly #sessionId: string | undefined;
  readonly #running: Promise<void>;
  readonly failures: Failure[] = [];
  /** Answers of others, and calls that hung. */
  readonly wrong: string[] = [];
  answers = 0;
  #isStopped = false;

  constructor(connected: ConnectedClient, name: string) {
    this.#connected = connected;
    this.#name = name;
    this.#sessionId = connected.sessionId();
    this.#running = this.#run();
  }

  get answeredTwice() {
    return this.#connected.answeredTwice();
  }

  get keptItsSession(): boolean {
    return this.#sessionId !== undefined && this.#connected.sessionId() === this.#sessionId;
  }

  /** Resolves when its last call has ended; the client is closed then. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    await this.#connected.close();
  }

  async #run(): Promise<void> {
    for (let call = 0; !this.#isStopped; call += 1) {
      const text = `${this.#name}/${call}`;
      try {
        const found = await this.#echo(text);
        if (found === text) this.answers += 1;
        else this.wrong.push(`${text} was answered with ${found}`);
      } catch (error) {
        this.#failed(text, error);
        await sleep(PAUSE_MS);
      }
    }
  }

  async #echo(text: string): Promise<string | undefined> {
    const params = { name: 'echo', arguments: { text } };
    const result = await this.#connected.client.callTool(params, undefined, { timeout: CALL_MS });
    const [content] = (result as CallToolResult).content;
    return content?.type === 'text' ? content.text : undefined;
  }

  #failed(text: string, error: unknown): void {
    if (!(error instanceof McpError)) {
      this.failures.push({ code: undefined, message: String(error), data: undefined });
      return;
    }
    const code: number = error.code;
    if (code === Number(ErrorCode.RequestTimeout)) this.wrong.push(`${text} hung`);
    this.failures.push({ code, message: error.message, data: error.data as Failure['data'] });
  }
}

/** Clients at work at once. */
export class BusyClients {
  readonly all: readonly BusyClient[];

  private constructor(all: readonly BusyClient[]) {
    this.all = all;
  }

  static async connect(
    count: number,
    endpointOf: (index: number) => Promise<Endpoint>,
  ): Promise<BusyClients> {
    const indexes = Array.from({ length: count }, (_, index) => index);
    const connected = await Promise.all(indexes.map(async (index) => connectClient(await endpointOf(index))));
    return new BusyClients(connected.map((each, index) => new BusyClient(each, `client ${index}`)));
  }

  get failures(): readonly Failure[] {
    return this.all.flatMap(({ failures }) => failures);
  }

  /** Resolves when each of them has had so many answers more. */
  async untilEachAnswered(more: number): Promise<void> {
    const before = this.all.map(({ answers }) => answers);
    const isDone = () => this.all.every(({ answers }, index) => answers >= before[index]! + more);
    await waitUntil(isDone, {
      deadlineMs: SOON_MS,
      describe: `${more} more answers for each; ${this.#lastFailures()}`,
    });
  }

  /** Resolves when each of them has had a failure of that kind since now. */
  async untilEachFailed(isMeant: (failure: Failure) => boolean): Promise<void> {
    const before = this.all.map(({ failures }) => failures.length);
    const isDone = () => this.all.every(({ failures }, index) => failures.slice(before[index]).some(isMeant));
    await waitUntil(isDone, { deadlineMs: SOON_MS, describe: `a failure for each; ${this.#lastFailures()}` });
  }

  /** What must never be: foreign and double answers, calls that hung, sessions that were lost. */
  faults(): string[] {
    return this.all.flatMap((client, index) => [
      ...client.wrong,
      ...client.answeredTwice.map((id) => `request ${id} of client ${index} was answered twice`),
      ...(client.keptItsSession ? [] : [`client ${index} has another session`]),
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((client) => client.stop()));
  }

  #lastFailures(): string {
    return JSON.stringify(this.failures.slice(-2));
  }
}
