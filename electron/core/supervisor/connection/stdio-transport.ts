import type { Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { PartSink } from '../../read-in-turns.ts';
import { FrameReader } from './frame-reader.ts';
import type { MalformedOutput } from '../../mcp/malformed-output.ts';
import type { LongMessage } from '../../mcp/long-message.ts';
import { ReaderShare } from '../../mcp/message-thread.ts';
import type { OnTraffic, PeerTransport } from '../../mcp/peer-transport.ts';
import type { UnreadableAnswer } from '../../mcp/unreadable-answer.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';

interface StdioTransportOptions {
  readonly stdin: Writable;
  readonly reader: LongReader;
  readonly readStdout: (sink: PartSink) => void;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** Called if the response to a request cannot be read. The response is also reported as malformed output. */
  readonly onAnswerLost: (id: RequestId, error: PanelError) => void;
}

/** Maximum bytes queued for a server that does not read. More is refused, because memory would otherwise grow without limit. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** Maximum number of queued messages, because each one takes kilobytes of memory, however short it is. */
const MAX_QUEUED_MESSAGES = 10_000;
/** Maximum number of queued responses. A server that sends requests without reading cannot use the responses. */
const MAX_QUEUED_ANSWERS = 256;

/**
 * The SDK's `Transport` interface over pipes that the caller opened. Closing the transport never ends the process. Messages are
 * written whole, so they never mix.
 */
export class StdioTransport implements PeerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onlongmessage?: (message: LongMessage) => void;
  onpassed?: OnTraffic;

  readonly #options: StdioTransportOptions;
  readonly #reader: FrameReader;
  /** Counts of messages that were written but not yet flushed to the pipe. */
  readonly #queued = { messages: 0, answers: 0 };
  #isClosed = false;
  #isGathering = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#reader = new FrameReader({
      reader: new ReaderShare(options.reader),
      onMessage: (message, text) => {
        if (this.#isClosed) return;
        this.onpassed?.('from-server', message, text);
        this.onmessage?.(message);
      },
      onLongMessage: (message) => {
        if (this.#isClosed) return;
        this.onpassed?.('from-server', message.outline, message.parts);
        this.onlongmessage?.(message);
      },
      onMalformed: (noise) => options.onMalformed(noise),
      onUnreadableAnswer: (answer, noise) => options.onAnswerLost(answer.id, unreadable(answer, noise)),
    });
  }

  start(): Promise<void> {
    const { stdin, readStdout } = this.#options;
    readStdout({
      onPart: (part) => this.#reader.push(part),
      onlyKeeps: (chunk) => this.#reader.onlyKeeps(chunk),
      keepsPart: () => this.#reader.keepsChunk,
      onEnd: () => this.#reader.end(),
    });
    // EPIPE and similar errors reject the sender through each write's callback. Without a listener they would end the panel.
    stdin.on('error', () => undefined);
    return Promise.resolve();
  }

  /** Sends a message. @throws PanelError CRASHED when the pipe is broken, STALLED when too much waits for the server to read */
  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#options;
    if (this.#isClosed || !stdin.writable) return Promise.reject(brokenPipe());
    const isAnswer = !('method' in message);
    if (!this.#hasRoom(isAnswer)) {
      return Promise.reject(
        new PanelError('STALLED', 'The server has stopped reading; the message was not sent.', {
          remedy: 'Wait until it has read what it was sent, or restart it.',
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const line = serializeMessage(message);
      this.#countQueued(isAnswer, 1);
      stdin.write(line, (error) => {
        this.#countQueued(isAnswer, -1);
        if (error) reject(brokenPipe(error));
        else resolve();
      });
      // `onpassed` is called after the write, so that the server can process the message meanwhile.
      this.onpassed?.('to-server', message, line);
      this.#gather();
    });
  }

  /** Ends the MCP session: every open request over this transport is rejected now. The pipes stay open. */
  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /**
   * Sends the first message of an event-loop tick immediately, and later messages of that tick together at its end. With many
   * MCP clients, a system call and a wake-up of the server for each message would cost more than all other work on the message.
   */
  #gather(): void {
    if (this.#isGathering) return;
    const { stdin } = this.#options;
    this.#isGathering = true;
    stdin.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stdin.uncork();
    });
  }

  #hasRoom(isAnswer: boolean): boolean {
    const { messages, answers } = this.#queued;
    if (this.#options.stdin.writableLength > MAX_QUEUED_BYTES || messages >= MAX_QUEUED_MESSAGES)
      return false;
    return !isAnswer || answers < MAX_QUEUED_ANSWERS;
  }

  #countQueued(isAnswer: boolean, change: 1 | -1): void {
    this.#queued.messages += change;
    if (isAnswer) this.#queued.answers += change;
  }
}

function unreadable({ fault }: UnreadableAnswer, { noise, bytes, excerpt }: MalformedOutput): PanelError {
  const message = `The answer of the server cannot be read: ${fault}. It begins with ${excerpt}`;
  return new PanelError('PROTOCOL_ERROR', message, { data: { noise, bytes } });
}

function brokenPipe(cause?: Error): PanelError {
  return new PanelError('CRASHED', 'The pipe to the server is closed.', { cause });
}
