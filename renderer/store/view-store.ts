import { createStore, type StoreApi } from 'zustand/vanilla';
import { everyServer, type ListChoice } from '../format/list-choice.ts';

/** What is looked at, as opposed to what is the case: nothing here leaves the window. */
export interface ViewState extends ListChoice {
  /** The overview's search words. */
  readonly search: string;
  /** Instant under the pointer in the charts; all of them show it. */
  readonly cursorAt: number | undefined;
  /** Events under the pointer, in the log or in the charts; the other side highlights them. */
  readonly pointedEvents: readonly string[];
  /** When the window was last looked at before the person came back; undefined once that has been answered. */
  readonly awaySince: number | undefined;
  /** Activity view: null is every server, or what belongs to none. */
  readonly activityServer: string | null;
  readonly activityKind: string | null;
}

export type ViewStore = StoreApi<ViewState>;

export const createViewStore = (): ViewStore =>
  createStore<ViewState>(() => ({
    search: '',
    ...everyServer,
    cursorAt: undefined,
    pointedEvents: [],
    awaySince: undefined,
    activityServer: null,
    activityKind: null,
  }));
