import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { BoundedData, DataBounds } from '../../../../shared/plain-data.ts';
import type { UnreadableAnswer } from '../unreadable-answer.ts';

/** Question to the thread about the bytes of a long message. */
export type ParserRequest =
  /** Kind and header of the message. With `wantsCopy`, also the message serialized again, with its id at the beginning. */
  | { readonly ask: 'outline'; readonly wantsCopy: boolean }
  /** Complete value. */
  | { readonly ask: 'value' }
  /** Part of the body, and the omitted amount. */
  | { readonly ask: 'bounded'; readonly bounds: DataBounds }
  /** Items of a list in the result. */
  | { readonly ask: 'list'; readonly name: string }
  /** Messages of a batch. */
  | { readonly ask: 'batch' };

/** Reason why the bytes have no value. */
export type Fault = 'not-json' | 'bad-utf8';

/** Header of the message: id, method, and the beginning of its error or params. */
export type Outline =
  | { readonly is: 'message'; readonly outline: JSONRPCMessage; readonly copy?: Uint8Array }
  | { readonly is: 'not-a-message'; readonly answer: UnreadableAnswer | undefined }
  | { readonly is: Fault };

export type WholeValue =
  | { readonly is: 'value'; readonly value: unknown }
  /** The message contains more values than can be used as a whole. */
  | { readonly is: 'too-many'; readonly valueCount: number; readonly outline: unknown }
  | { readonly is: 'too-deep' }
  | { readonly is: Fault };

/** A list in a result. */
export interface LongList {
  /** Undefined if the result contains no list with this name. */
  readonly count: number | undefined;
  readonly nextCursor: string | undefined;
  /** JSON texts of the first items; undefined for an item that is too large. */
  readonly items: readonly (string | undefined)[];
}

/**
 * Maximum messages that are read of a batch. The panel sends no batches, so no server needs one for its answers; revision
 * 2025-03-26 allows them.
 */
export const MAX_BATCH = 100;

export interface ParserBatch {
  readonly count: number;
  /** JSON texts of the first messages. */
  readonly items: readonly Uint8Array[];
}

/** Types of the answers, by question. */
export interface ParserAnswers {
  readonly outline: Outline;
  readonly value: WholeValue;
  readonly bounded: BoundedData;
  readonly list: LongList;
  readonly batch: ParserBatch;
}

export type Answer = ParserAnswers[keyof ParserAnswers];

/** Reader of bytes that are too long to be parsed in one event-loop tick. */
export interface LongReader {
  /**
   * @param signal aborts when the answer is no longer needed
   * @throws PanelError PROTOCOL_ERROR if there is no answer
   */
  ask<K extends keyof ParserAnswers>(
    parts: readonly Buffer[],
    question: Extract<ParserRequest, { ask: K }>,
    signal?: AbortSignal,
  ): Promise<ParserAnswers[K]>;
}

/** Message to the thread: a piece of the bytes, or a question about all pieces sent. */
export type ToThread = { readonly piece: Uint8Array } | { readonly question: ParserRequest };
export type FromThread = { readonly answer: Answer } | { readonly failure: string };
