import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EventKind } from '../../shared/domain.ts';
import type { PastState } from '../../shared/history.ts';
import { everyServer, type ListChoice } from '../format/list-choice.ts';
import { everyLogLine, type LogChoice } from '../format/log-choice.ts';
import type { ServerColours } from '../format/server-colours.ts';
import type { KindGroup } from '../format/event-words.ts';
import { noSelection, type Selection } from './selection.ts';
import { initialSpan, type ComparedTime, type SpanState } from './span-choice.ts';

/** State of the view, as opposed to the state of the servers. It never leaves the app window. */
export interface ViewState extends ListChoice {
  /** Search text of the overview. */
  readonly search: string;
  /** Servers selected in the overview, for commands to several servers. */
  readonly selection: Selection;
  /** Time span that the charts show; all charts share it. */
  readonly span: SpanState;
  /** Comparison period that the charts draw behind the shown period; `none` for no comparison. */
  readonly compared: ComparedTime;
  /** State of the history store, such as its location and the time of its oldest figure; undefined until it is known. */
  readonly kept: PastState | undefined;
  /** Time under the pointer in any chart, shown in all of them; undefined while the pointer is not over a chart. */
  readonly cursorAt: number | undefined;
  /** Time pinned in the charts by a click or a key; undefined if none is pinned. */
  readonly pinnedAt: number | undefined;
  /** Ids of the events under the pointer, in the log or in the charts. Both the log and the charts highlight them. */
  readonly pointedEvents: readonly string[];
  /** When the user last left the app window; undefined if not recorded or once the user followed the absence note's link. */
  readonly awaySince: number | undefined;
  /** Server filter of the activity view; null for no filter. */
  readonly activityServer: string | null;
  /** Kind of event, or group of kinds, that the activity view shows; null for all. */
  readonly activityKind: EventKind | KindGroup | null;
  readonly activityHalf: 'events' | 'calls';
  /** True if the view offers, above the list, to import servers from other MCP clients, until the user does so or declines. */
  readonly offersImports: boolean;
  /** True if the view offers to put unused servers to sleep. False once the user has accepted or dismissed the offer. */
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
