import { isJsonObject } from '../../../../shared/json-object.ts';
import { cutText } from '../../../../shared/cut-text.ts';
import type { MessageId } from '../types.ts';

export type CallParams = Readonly<Record<string, unknown>>;

/** Names of tools are shown; nobody reads longer ones. */
const MAX_TARGET_LENGTH = 200;

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
