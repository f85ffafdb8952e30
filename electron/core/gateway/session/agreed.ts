import type { OfferList } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import type { RawResult } from '../../mcp/long-message.ts';
import { MAX_LIST_BYTES, type KnownTool } from '../../sessions/offer/known-tools.ts';
import { withoutTools } from './without-tools.ts';
import type { CallParams } from './answers.ts';
import type { KnownOffers } from './options.ts';

/** Methods that use one item of a list, each with that list and the parameter that names the item. */
const uses: ReadonlyMap<string, readonly [OfferList, string]> = new Map([
  ['tools/call', ['tools', 'name']],
  ['prompts/get', ['prompts', 'name']],
  ['resources/read', ['resources', 'uri']],
]);

/** A server's lists as one client sees them, in which a changed description may still wait for the user's acceptance. */
export interface ClientOffer {
  readonly catalogue: KnownOffers;
  /** Key of the server's catalogue entry; undefined if the server was removed from the configuration. */
  readonly key: string | undefined;
  readonly client: string;
  /** Names of tools that are hidden from the client; undefined if it sees all. */
  readonly hidden: ReadonlySet<string> | undefined;
}

const agreedOf = ({ catalogue, key }: ClientOffer) => (key === undefined ? undefined : catalogue.agreed(key));

/** Returns a tool as its list describes it; undefined if the list is not known. */
export const knownTool = (
  { catalogue, key }: ClientOffer,
  name: string | undefined,
): KnownTool | undefined =>
  key === undefined || name === undefined ? undefined : catalogue.tools(key).get(name);

/**
 * Like `knownTool`, but first reads the list that an earlier run has stored. If the tool is still not known, waits until the
 * server is up and its list was read. @param up waits until the server is up
 */
export async function lookUpTool(
  offer: ClientOffer,
  name: string | undefined,
  up: () => Promise<unknown>,
): Promise<KnownTool | undefined> {
  const { catalogue, key } = offer;
  if (key === undefined) return undefined;
  await catalogue.load(key);
  if (knownTool(offer, name) === undefined) await up();
  await catalogue.whenRead(key);
  return knownTool(offer, name);
}

/**
 * Returns a promise to wait for before a request is sent. It settles when the new tool list of the server was read, against
 * which the request is checked. Undefined if there is nothing to wait for, as for requests that use no item of a list.
 */
export const whenUsable = ({ catalogue, key }: ClientOffer, method: string): Promise<unknown> | undefined =>
  key === undefined || !uses.has(method) ? undefined : catalogue.whenRead(key);

/** Refuses a request for an item whose change is held back until the user accepts it. @throws PanelError TOOL_CHANGED */
export function checkUse(offer: ClientOffer, method: string, params: CallParams): void {
  const [list, field] = uses.get(method) ?? [];
  const id = field === undefined ? undefined : ownValue(params, field);
  if (list !== undefined && typeof id === 'string') agreedOf(offer)?.check(list, id, offer.client);
}

/** Refuses a call of a tool that is hidden from the client, before its server is woken. @throws PanelError TOOL_HIDDEN */
export function refuseHidden(hidden: ReadonlySet<string>, tool: string): undefined {
  if (!hidden.has(tool)) return;
  throw new PanelError('TOOL_HIDDEN', `"${tool}" is hidden from this client.`, {
    remedy: 'Show it in MCP Control Panel, under Clients, on the page of this client.',
  });
}

/**
 * Returns a list, or one page of it, as the client sees it: without hidden tools, and with the accepted text of items whose
 * change was not accepted yet. If the answer is longer than 512 KiB, the accepted list is returned instead.
 */
export function seenList(offer: ClientOffer, list: OfferList, answer: RawResult): RawResult {
  const agreed = agreedOf(offer);
  const hidden = list === 'tools' ? offer.hidden : undefined;
  if (!agreed && !hidden) return answer;
  const result = answer.kind === 'parsed' ? answer.result : resultIn(answer.message.parts);
  const agreedTo = result === undefined ? agreed?.whole(list) : agreed?.seen(list, result, offer.client);
  const seen = withoutTools(agreedTo ?? result, hidden);
  return seen === result || !isJsonObject(seen) ? answer : { kind: 'parsed', result: seen };
}

function resultIn(parts: readonly Buffer[]): unknown {
  if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_LIST_BYTES) return undefined;
  const message: unknown = JSON.parse(Buffer.concat(parts).toString());
  return isJsonObject(message) ? message['result'] : undefined;
}
