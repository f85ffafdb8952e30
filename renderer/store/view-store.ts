import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EventKind } from '../../shared/domain.ts';
import type { PastState } from '../../shared/history.ts';
import { everyServer, type ListChoice } from '../format/list-choice.ts';
import { everyLogLine, type LogChoice } from '../format/log-choice.ts';
import type { ServerColours } from '../format/server-colours.ts';
import type { KindGroup } from '../format/event-words.ts';
import { noSelection, type Selection } from './selection.ts';
import { initialSpan, type ComparedTime, type SpanState } from './span-choice.ts';

/** State of the view, as opposed to the state of the servers; it never leaves the app window. */
export interface ViewState extends ListChoice {
  /** Search text of the overview. */
  readonly search: string;
  /** Servers selected in the overview, for commands to several servers. */
  readonly selection: Selection;
  /** Time span that the charts show; all charts share it. */
  readonly span: SpanState;
  /** Time that the charts draw behind the one shown. */
  readonly compared: ComparedTime;
  /** Where the history is kept, and its oldest figure; undefined until that is known. */
  readonly kept: PastState | undefined;
  /** Instant under the pointer in any chart, shown in all of them; undefined while the pointer is elsewhere. */
  readonly cursorAt: number | undefined;
  /** Instant pinned in the charts by a click or a key; undefined if none is. */
  readonly pinnedAt: number | undefined;
  /** Ids of the events under the pointer, in the log or in the charts; the log and the charts both highlight them. */
  readonly pointedEvents: readonly string[];
  /** Instant at which the user last left the app window; undefined if there is no note on it, or the note was used. */
  readonly awaySince: number | undefined;
  /** Server filter of the activity view; null for no filter. */
  readonly activityServer: string | null;
  /** Kind of event, or group of kinds, that the activity view shows; null for all. */
  readonly activityKind: EventKind | KindGroup | null;
  readonly activityHalf: 'events' | 'calls';
  /** Whether to offer an import from other MCP clients above the list; false once the user imported or dismissed it. */
  readonly offersImports: boolean;
  /** Whether to offer to let unused servers sleep; false once the user let some sleep or dismissed it. */
  readonly offersSleep: boolean;
  readonly logs: LogChoice;
  /** Colours of the servers, the same in all views. */
  readonly colours: ServerColours;
}

export type ViewStore = StoreApi<ViewState>;

export const createViewStore = (): ViewStore =>
  createStore<ViewState>(() => ({
    search: '',
    selection: noSelection,
    ...everyServer,
    span: initialSpan,
    compared: 'none',
    kept: undefined,
    cursorAt: undefined,
    pinnedAt: undefined,
    pointedEvents: [],
    awaySince: undefined,
    activityServer: null,
    activityKind: null,
    activityHalf: 'events',
    offersImports: true,
    offersSleep: true,
    logs: everyLogLine,
    colours: new Map(),
  }));
