import { keepText, readKept } from './kept-view.ts';
import type { StoreApi } from 'zustand/vanilla';
import {
  chooseLive,
  comparedTimes,
  liveSpans,
  showMoment,
  type ComparedTime,
  type SpanChoice,
  type SpanState,
  zoomAround,
} from './span-choice.ts';
import { parseRoute } from './route-store.ts';
import type { ViewState } from './view-store.ts';

const KEY = 'mcp-control-panel.time-shown';

/** True if the address of the view contains the time that the view shows. */
const hasTime = (hash: string): boolean =>
  ['server', 'usage', 'compare', 'activity', 'logs'].includes(parseRoute(hash).view);

/** Time span that is shown, the point in time that is pinned in it, and the time that it is compared with. */
interface ShownTime {
  readonly choice?: SpanChoice | undefined;
  readonly pinnedAt?: number | undefined;
  readonly compared?: ComparedTime | undefined;
}

const nameOf = (spanMs: number): string | undefined =>
  liveSpans.find((one) => one.spanMs === spanMs)?.label.replaceAll(' ', '');

/** Returns the part of an address that begins with the question mark. Empty if the user has not chosen a time. */
export function timeText({ choice, pinnedAt, compared = 'none' }: ShownTime): string {
  const params = new URLSearchParams();
  if (choice?.kind === 'still') {
    params.set('from', String(Math.round(choice.span.from)));
    params.set('to', String(Math.round(choice.span.to)));
  } else if (choice?.spanMs !== undefined) params.set('last', nameOf(choice.spanMs) ?? '');
  if (pinnedAt !== undefined) params.set('at', String(Math.round(pinnedAt)));
  if (compared !== 'none') params.set('compare', compared);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the time in an address; undefined if the address does not contain a valid time. */
export function parseTime(text: string): ShownTime | undefined {
  const params = new URLSearchParams(text);
  const number = (name: string): number | undefined => {
    const value = params.get(name) ?? '';
    return /^\d{1,16}$/.test(value) ? Number(value) : undefined;
  };
  const [from, to, pinnedAt] = [number('from'), number('to'), number('at')];
  const live = liveSpans.find(({ spanMs }) => nameOf(spanMs) === params.get('last'));
  const compared = comparedTimes.find((one) => one === params.get('compare'));
  const choice: SpanChoice | undefined =
    from !== undefined && to !== undefined && from < to
      ? { kind: 'still', span: { from, to } }
      : live && { kind: 'live', spanMs: live.spanMs };
  return choice === undefined && pinnedAt === undefined && compared === undefined
    ? undefined
    : { choice, pinnedAt, compared };
}

const TIME_PARTS = ['from', 'to', 'last', 'at', 'compare'];

/** Returns an address with another time. All other parts of the address are kept. */
function withTime(hash: string, time: ShownTime): string {
  const [path = '', text = ''] = hash.split('?', 2);
  const params = new URLSearchParams(text);
  for (const part of TIME_PARTS) params.delete(part);
  for (const [part, value] of new URLSearchParams(timeText(time))) params.set(part, value);
  const next = params.toString();
  return next === '' ? path : `${path}?${next}`;
}

/** Returns a link to a point in time in a view, with a fixed time span around it. The operating system opens it in the app. */
export function momentLink(hash: string, span: SpanState, at: number, now: number): string {
  const shown = showMoment(span, at, now);
  const { choice } = shown.choice.kind === 'still' ? shown : zoomAround(span, at, now);
  let address = withTime(hash, { choice, pinnedAt: at }).slice(1);
  // These characters are escaped because they are allowed in a name in an address, but not in a link.
  for (const sign of "!'()*") address = address.replaceAll(sign, `%${sign.charCodeAt(0).toString(16)}`);
  return `mcp-control-panel://open${address}`;
}

interface Place {
  readonly hash: () => string;
  /** Replaces the current address without adding an entry to the history of the window. */
  readonly replace: (hash: string) => void;
  readonly onChange: (listener: () => void) => void;
  readonly now: () => number;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Keeps the shown time consistent in the view, the address and the next app run. An address with a time sets the shown time,
 * and the address of every view that shows a time contains the time. Only a time span that ends now is kept for the next app
 * run.
 */
export function keepTime(view: StoreApi<ViewState>, { hash, replace, onChange, now, storage }: Place): void {
  const write = () => {
    const { span, pinnedAt, compared } = view.getState();
    if (!hasTime(hash())) return;
    const next = withTime(hash(), { choice: span.choice, pinnedAt, compared });
    if (next !== hash()) replace(next);
  };
  const read = () => {
    const [, text = ''] = hash().split('?', 2);
    const time = hasTime(hash()) ? parseTime(text) : undefined;
    const { span, pinnedAt, compared } = view.getState();
    if (time && timeText({ choice: span.choice, pinnedAt, compared }) !== timeText(time)) {
      const { choice = span.choice, pinnedAt: at } = time;
      const isKept = timeText({ choice }) === timeText(span);
      const next = isKept ? span : { choice, before: [] };
      const isElsewhere = time.choice === undefined && at !== undefined && timeText(next) !== '';
      view.setState({
        span: isElsewhere ? showMoment(next, at, now()) : next,
        pinnedAt: at,
        compared: time.compared ?? compared,
      });
    }
    write();
  };
  const kept = parseTime(readKept(storage, KEY) ?? '');
  if (kept?.choice?.kind === 'live') view.setState({ span: chooseLive(kept.choice.spanMs) });
  if (kept?.compared !== undefined) view.setState({ compared: kept.compared });
  view.subscribe((state, before) => {
    const { span, pinnedAt, compared } = state;
    const isOther = span !== before.span || compared !== before.compared;
    if (!isOther && pinnedAt === before.pinnedAt) return;
    write();
    if (span.choice.kind === 'live' && isOther)
      keepText(storage, KEY, timeText({ choice: span.choice, compared }));
  });
  onChange(read);
  read();
}
