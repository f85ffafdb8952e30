import { PanelError } from '../../../../shared/error-codes.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { cutText } from '../../../../shared/cut-text.ts';
import { parseBody } from '../../supervisor/connection/long-body.ts';
import type { LongMessage } from '../../supervisor/connection/long-message.ts';
import type { MessageId } from '../types.ts';

export type CallParams = Readonly<Record<string, unknown>>;

/** Names of tools are shown; nobody reads longer ones. */
const MAX_TARGET_LENGTH = 200;

/**
 * The params of a long message as a value, parsed in turns.
 * @throws PanelError PROTOCOL_ERROR when they hold more values than are read; what the signal was aborted with
 */
export async function longParams(long: LongMessage, signal?: AbortSignal): Promise<CallParams> {
  if (!long.bodySpan) return {};
  try {
    return await parseBody(long, signal);
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
    throw new PanelError('PROTOCOL_ERROR', `The request has too many values: ${long.valueCount}.`, {
      remedy: 'Ask for less at a time, or hand the content over as one text.',
    });
  }
}

/** The token under which the client wants progress, as it chose it. */
export function progressTokenIn(params: CallParams | undefined): MessageId | undefined {
  const meta = params?.['_meta'];
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The name of the tool or prompt that is called. */
export function targetIn(params: CallParams | undefined): string | undefined {
  const name = params?.['name'];
  return typeof name === 'string' ? cutText(name, MAX_TARGET_LENGTH, 'end').text : undefined;
}
