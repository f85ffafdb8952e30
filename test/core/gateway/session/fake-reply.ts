import type { GatewayReply, InboundMessage } from '../../../../electron/core/gateway/types.ts';

interface Message extends InboundMessage {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A response that keeps what is written to it, and whose client leaves when the test says so. */
export class FakeReply implements GatewayReply {
  readonly headers: Record<string, string> = {};
  /** What came before the answer. */
  readonly streamed: Message[] = [];
  isOpen = true;
  /** The client is too far behind. */
  isFull = false;
  isStream = false;
  code: number | undefined;
  answer: Message | undefined;
  /** The answer as it was written. */
  text: string | undefined;
  ends = 0;
  /** Hears of each message before the answer as it is sent. */
  onStreamed: (message: InboundMessage) => void = () => undefined;
  readonly #gone = new Set<() => void>();

  header(name: string, value: string): void {
    this.headers[name] = value;
  }
  status(code: number, body?: object): void {
    this.code = code;
    this.answer = body as Message | undefined;
    this.#end();
  }
  stream(message: object): boolean {
    if (!this.isOpen || this.isFull) return false;
    this.isStream = true;
    this.streamed.push(message as Message);
    this.onStreamed(message as Message);
    return true;
  }
  open(): void {
    this.isStream = true;
  }
  end(message: object | readonly Uint8Array[]): void {
    this.text = Array.isArray(message)
      ? Buffer.concat(message as Uint8Array[]).toString()
      : JSON.stringify(message);
    this.answer = JSON.parse(this.text) as Message;
    this.#end();
  }
  close(): void {
    this.#end();
  }
  onGone(listener: () => void): () => void {
    this.#gone.add(listener);
    return () => this.#gone.delete(listener);
  }
  /** The client has left. */
  leave(): void {
    this.isOpen = false;
    for (const listener of this.#gone) listener();
  }

  #end(): void {
    this.ends += 1;
    this.isOpen = false;
  }
}
