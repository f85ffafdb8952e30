import type { Readable, Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { readInTurns } from '../../read-in-turns.ts';
import { FrameReader, type FrameNoise } from './frame-reader.ts';
import type { UnreadableAnswer } from './unreadable-answer.ts';

export interface StdioTransportOptions {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly onNoise: (noise: FrameNoise) => void;
  /** The answer to the request came, and cannot be read; it is noise, too. */
  readonly onAnswerLost: (id: RequestId, error: PanelError) => void;
}

/** More than this waiting in front of a server that does not read is refused, or memory would grow without end. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/**
 * The SDK's `Transport` over pipes that somebody else owns: closing it ends the protocol, never the process.
 * Writes go through the one stream in the order they were made, so frames never interleave.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioTransportOptions;
  readonly #reader: FrameReader;
  #isClosed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#reader = new FrameReader({
      onMessage: (message) => this.#receive(message),
      onNoise: (noise) => options.onNoise(noise),
      onUnreadableAnswer: (answer, noise) => options.onAnswerLost(answer.id, unreadable(answer, noise)),
    });
  }

  start(): Promise<void> {
    const { stdin, stdout } = this.#options;
    readInTurns(stdout, (part) => this.#reader.push(part));
    stdout.on('end', () => this.#reader.end());
    // EPIPE and the like: each write's own callback rejects its sender; without a listener it would end the panel.
    stdin.on('error', () => undefined);
    return Promise.resolve();
  }

  /** Resolves once the bytes left for the pipe. @throws PanelError CRASHED when the pipe is closed or broken. */
  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#options;
    if (this.#isClosed || !stdin.writable) return Promise.reject(brokenPipe());
    if (stdin.writableLength > MAX_QUEUED_BYTES) {
      return Promise.reject(
        new PanelError('STALLED', 'The server has stopped reading; the message was not sent.'),
      );
    }
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(brokenPipe(error)) : resolve()));
    });
  }

  /** Ends the protocol: every pending request of the SDK's client rejects now. The pipes are left to their owner. */
  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #receive(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.onmessage?.(message);
  }
}

function unreadable({ fault }: UnreadableAnswer, { noise, bytes, excerpt }: FrameNoise): PanelError {
  const message = `The answer of the server cannot be read: ${fault}. It begins with ${excerpt}`;
  return new PanelError('PROTOCOL_ERROR', message, { data: { noise, bytes } });
}

function brokenPipe(cause?: Error): PanelError {
  return new PanelError('CRASHED', 'The pipe to the server is closed.', { cause });
}
