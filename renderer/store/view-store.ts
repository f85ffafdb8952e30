import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EventKind } from '../../shared/domain.ts';
import { everyServer, type ListChoice } from '../format/list-choice.ts';
import { everyLogLine, type LogChoice } from '../format/log-choice.ts';
import { noSelection, type Selection } from './selection.ts';
import { initialSpan, type SpanState } from './span-choice.ts';

/** State of the view, as opposed to the state of the servers: nothing here leaves the window. */
export interface ViewState extends ListChoice {
  /** Search words of the overview. */
  readonly search: string;
  /** Servers of the overview that commands to many are for. */
  readonly selection: Selection;
  /** Time that the charts show; one choice for all of them. */
  readonly span: SpanState;
  /** Instant under the pointer in the charts; all of them show it. */
  readonly cursorAt: number | undefined;
  /** Instant that a click or the keyboard chose in the charts; it is shown until it is given up. */
  readonly pinnedAt: number | undefined;
  /** Events under the pointer, in the log or in the charts; the other side highlights them. */
  readonly pointedEvents: readonly string[];
  /**
   * Instant when the window was last looked at before the person came back; undefined once the note on it has
   * been dealt with.
   */
  readonly awaySince: number | undefined;
  /** Server of the activity view; null stands for every server, or for what belongs to none. */
  readonly activityServer: string | null;
  readonly activityKind: EventKind | null;
  /** Whether servers of other clients are still offered above the list: until some were imported, or it was dismissed. */
  readonly offersImports: boolean;
  readonly logs: LogChoice;
}

export type ViewStore = StoreApi<ViewState>;

export const createViewStore = (): ViewStore =>
  createStore<ViewState>(() => ({
    search: '',
    selection: noSelection,
    ...everyServer,
    span: initialSpan,
    cursorAt: undefined,
    pinnedAt: undefined,
    pointedEvents: [],
    awaySince: undefined,
    activityServer: null,
    activityKind: null,
    offersImports: true,
    logs: everyLogLine,
  }));
