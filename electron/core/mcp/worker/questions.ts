import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { BoundedData, DataBounds } from '../../../../shared/plain-data.ts';
import type { UnreadableAnswer } from '../unreadable-answer.ts';

/** What may be asked about the bytes of a long message, which the thread parses. */
export type ParserRequest =
  /** What they are. `wantsCopy`: the message written anew, its id at its beginning. */
  | { readonly ask: 'outline'; readonly wantsCopy: boolean }
  /** All that they say. */
  | { readonly ask: 'value' }
  /** A part of their body, and what it lacks. */
  | { readonly ask: 'bounded'; readonly bounds: DataBounds }
  /** The items of a list in their result. */
  | { readonly ask: 'list'; readonly name: string }
  /** The messages of a batch. */
  | { readonly ask: 'batch' };

/** Why bytes have no value. */
export type Fault = 'not-json' | 'bad-utf8';

/** The message as if it were short: with its id and method, and the beginnings of what its error or its params hold. */
export type Outline =
  | { readonly is: 'message'; readonly outline: JSONRPCMessage; readonly copy?: Uint8Array }
  | { readonly is: 'not-a-message'; readonly answer: UnreadableAnswer | undefined }
  | { readonly is: Fault };

export type WholeValue =
  | { readonly is: 'value'; readonly value: unknown }
  /** It holds more values than can be used as a whole. */
  | { readonly is: 'too-many'; readonly valueCount: number; readonly outline: unknown }
  | { readonly is: 'too-deep' }
  | { readonly is: Fault };

/** A list in a result. */
export interface LongList {
  /** Undefined where the result holds no list of the name. */
  readonly count: number | undefined;
  readonly nextCursor: string | undefined;
  /** JSON texts of the first items; undefined for one that is too large. */
  readonly items: readonly (string | undefined)[];
}

/** The panel sends none, so nothing has to answer with one; revision 2025-03-26 allows them. */
export const MAX_BATCH = 100;

export interface ParserBatch {
  readonly count: number;
  /** JSON texts of the first messages. */
  readonly items: readonly Uint8Array[];
}

/** Answers by what was asked. */
export interface ParserAnswers {
  readonly outline: Outline;
  readonly value: WholeValue;
  readonly bounded: BoundedData;
  readonly list: LongList;
  readonly batch: ParserBatch;
}

export type Answer = ParserAnswers[keyof ParserAnswers];

/** Reads bytes that are too long to be parsed in one turn of the main loop. */
export interface LongReader {
  /**
   * @param signal nobody needs the answer any more
   * @throws PanelError PROTOCOL_ERROR where there is no answer
   */
  ask<K extends keyof ParserAnswers>(
    parts: readonly Buffer[],
    question: Extract<ParserRequest, { ask: K }>,
    signal?: AbortSignal,
  ): Promise<ParserAnswers[K]>;
}

/** To the thread: a piece of the bytes, or what is asked about all that came. */
export type ToThread = { readonly piece: Uint8Array } | { readonly question: ParserRequest };
export type FromThread = { readonly answer: Answer } | { readonly failure: string };
