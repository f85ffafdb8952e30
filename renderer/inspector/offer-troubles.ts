import type { OfferFailure, OfferList } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { InspectorState } from './inspector-store.ts';
import type { ItemKind } from './offer-items.ts';

/** Something that could not be listed: what, and why. */
export interface OfferTrouble {
  readonly lead: string;
  readonly error: ErrorReport;
}

const lists: Readonly<Record<OfferList, { readonly words: string; readonly kind: ItemKind }>> = {
  tools: { words: 'tools', kind: 'tool' },
  prompts: { words: 'prompts', kind: 'prompt' },
  resources: { words: 'resources', kind: 'resource' },
  resourceTemplates: { words: 'resource templates', kind: 'template' },
};

/** What did not come when the server was asked last: all of it, or some of its lists. */
export function troublesOf(
  state: Pick<InspectorState, 'items' | 'failures' | 'offerError'>,
): readonly OfferTrouble[] {
  const { items = [], failures, offerError } = state;
  if (offerError !== undefined) return [{ lead: 'Its offer could not be listed', error: offerError }];
  return failures.map(({ list, error }: OfferFailure) => {
    const { words, kind } = lists[list];
    const isPartial = items.some((item) => item.kind === kind);
    return { lead: `Its ${words} could not be listed${isPartial ? ' to the end' : ''}`, error };
  });
}
