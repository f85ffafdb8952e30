import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { BoundedData, DataBounds } from '../../../../shared/plain-data.ts';
import type { UnreadableAnswer } from '../unreadable-answer.ts';

/** Request to the parser thread about the bytes of a long message. */
export type ParserRequest =
  /** Asks for the kind and header of the message; with `wantsCopy`, also for the message serialized again with its id first. */
  | { readonly ask: 'outline'; readonly wantsCopy: boolean }
  /** Asks for the complete parsed message. */
  | { readonly ask: 'value' }
  /** Asks for as much of the result, error or params as `bounds` allow, and for how much was omitted. */
  | { readonly ask: 'bounded'; readonly bounds: DataBounds }
  /** Asks for the items of the list `name` in the result. */
  | { readonly ask: 'list'; readonly name: string }
  /** Asks for the separate messages of a JSON-RPC batch. */
  | { readonly ask: 'batch' };

/** Reason why the bytes could not be parsed. */
export type Fault = 'not-json' | 'bad-utf8';

/** Header of the message: id, method, and the beginning of its error or params. */
export type Outline =
  | { readonly is: 'message'; readonly outline: JSONRPCMessage; readonly copy?: Uint8Array }
  | { readonly is: 'not-a-message'; readonly answer: UnreadableAnswer | undefined }
  | { readonly is: Fault };

export type WholeValue =
  | { readonly is: 'value'; readonly value: unknown }
  /** The message contains more values than may be parsed as a whole. */
  | { readonly is: 'too-many'; readonly valueCount: number; readonly outline: unknown }
  | { readonly is: 'too-deep' }
  | { readonly is: Fault };

/** A list in a result. */
export interface LongList {
  /** Number of items; undefined if the result contains no list with this name. */
  readonly count: number | undefined;
  readonly nextCursor: string | undefined;
  /** JSON texts of the first items, with undefined in place of an item that is too large. */
  readonly items: readonly (string | undefined)[];
}

/**
 * Maximum messages that are read from one JSON-RPC batch. Protocol version 2025-03-26 allows batches, but a server does not
 * need them to answer the panel, which sends none.
 */
export const MAX_BATCH = 100;

export interface ParserBatch {
  readonly count: number;
  /** JSON texts of the first messages, as UTF-8. */
  readonly items: readonly Uint8Array[];
}

/** Type of the answer to each kind of `ParserRequest`. */
export interface ParserAnswers {
  readonly outline: Outline;
  readonly value: WholeValue;
  readonly bounded: BoundedData;
  readonly list: LongList;
  readonly batch: ParserBatch;
}

export type Answer = ParserAnswers[keyof ParserAnswers];

/** Reads messages that are too long to be parsed in one event-loop tick. */
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

/** Message to the thread: a piece of a message's bytes, or a request about all pieces sent so far. */
export type ToThread = { readonly piece: Uint8Array } | { readonly question: ParserRequest };
export type FromThread = { readonly answer: Answer } | { readonly failure: string };
