import type { OfferFailure, OfferList, OfferPart } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { formatCount } from '../format/figures.ts';
import type { InspectorState } from '../store/inspector-store.ts';
import type { ItemKind } from '../offer/offer-items.ts';

/** Failure of a list that could not be fetched. */
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

/** Failures of the last listing: of the whole listing, or of some of its lists. */
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

/** Messages on lists that are shown in part: "5000 of 100 000 tools are listed; …" */
export function partWords(parts: readonly OfferPart[]): readonly string[] {
  return parts.map(({ list, shown, total, isAtLeast }) => {
    const all = isAtLeast ? `more than ${formatCount(total)}` : formatCount(total);
    return `${formatCount(shown)} of ${all} ${lists[list].words} are listed; the rest is too much to show.`;
  });
}
