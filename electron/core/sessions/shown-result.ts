import type { CallOutcome } from '../../../shared/domain.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { RawResult } from '../mcp/long-message.ts';

/**
 * What the window can take at once. Each value is copied twice on its way there and becomes part of its layout, so that
 * a million of them stop it for many seconds; a few long texts do no harm.
 */
const BOUNDS: DataBounds = {
  maxDepth: 64,
  maxEntries: 5000,
  maxValues: 20_000,
  maxTextLength: 256 * 1024,
  maxTotalLength: 1024 * 1024,
  cutTexts: 'end',
  // Pictures, sounds and files, in base64.
  wholeTexts: { names: ['data', 'blob'], maxTotalLength: 8 * 1024 * 1024 },
};

/**
 * The result of a call as the window is shown it, and what it lacks. A long one is read in a thread of its own.
 * @throws what the signal was aborted with
 */
export async function toShownResult(
  raw: RawResult,
  signal?: AbortSignal,
): Promise<Pick<CallOutcome, 'result' | 'leftOut'>> {
  const { value, loss } =
    raw.kind === 'long' ? await raw.message.bounded(BOUNDS, signal) : boundData(raw.result, BOUNDS);
  return { result: value, ...(loss && { leftOut: loss }) };
}
