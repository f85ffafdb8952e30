import type { OfferList } from '../../../../shared/domain.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import type { RawResult } from '../../mcp/long-message.ts';
import { listedBy } from '../../sessions/offer/list-pages.ts';
import { MAX_LIST_BYTES } from '../../sessions/offer/known-tools.ts';
import type { AgreedOffer } from '../agreed/agreed-offer.ts';
import type { CallParams } from './answers.ts';

/** Requests that use one item of a list, and the parameter that names it. */
const uses: ReadonlyMap<string, readonly [OfferList, string]> = new Map([
  ['tools/call', ['tools', 'name']],
  ['prompts/get', ['prompts', 'name']],
  ['resources/read', ['resources', 'uri']],
]);

/** Whether a request uses something that may be held back. */
export const usesOffer = (method: string): boolean => uses.has(method);

/** @throws PanelError TOOL_CHANGED */
export function checkUse(
  agreed: AgreedOffer | undefined,
  method: string,
  params: CallParams,
  client: string,
): void {
  const [list, field] = uses.get(method) ?? [];
  const id = field === undefined ? undefined : params[field];
  if (list !== undefined && typeof id === 'string') agreed?.check(list, id, client);
}

/** A list, or a page of one, as the client sees it. A page of more than 512 KiB passes as it is. */
export function seenList(
  agreed: AgreedOffer | undefined,
  method: string,
  answer: RawResult,
  client: string,
): RawResult {
  const list = listedBy(method);
  if (list === undefined || !agreed) return answer;
  const result = answer.kind === 'parsed' ? answer.result : resultIn(answer.message.parts);
  const seen = agreed.seen(list, result, client);
  return seen === result || !isJsonObject(seen) ? answer : { kind: 'parsed', result: seen };
}

function resultIn(parts: readonly Buffer[]): unknown {
  if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_LIST_BYTES) return undefined;
  const message: unknown = JSON.parse(Buffer.concat(parts).toString());
  return isJsonObject(message) ? message['result'] : undefined;
}
