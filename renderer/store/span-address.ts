import type { StoreApi } from 'zustand/vanilla';
import { chooseLive, liveSpans, type SpanChoice } from './span-choice.ts';
import { parseRoute } from './route-store.ts';
import type { ViewState } from './view-store.ts';

const KEY = 'mcp-control-panel.time-shown';

/** Whether the address of a view has the time that it shows. Those of logs have a filter of their own there. */
function hasTime(hash: string): boolean {
  const route = parseRoute(hash);
  return route.view === 'server'
    ? route.tab !== 'logs'
    : ['usage', 'compare', 'activity'].includes(route.view);
}

/** Time shown, and the moment that is pinned in it. */
export interface ShownTime {
  readonly choice: SpanChoice;
  readonly pinnedAt?: number | undefined;
}

const nameOf = (spanMs: number): string | undefined =>
  liveSpans.find((one) => one.spanMs === spanMs)?.label.replaceAll(' ', '');

/** The part of an address from the question mark on; empty while nobody has chosen a time. */
export function timeText({ choice, pinnedAt }: ShownTime): string {
  const params = new URLSearchParams();
  if (choice.kind === 'still') {
    params.set('from', String(Math.round(choice.span.from)));
    params.set('to', String(Math.round(choice.span.to)));
  } else if (choice.spanMs !== undefined) params.set('last', nameOf(choice.spanMs) ?? '');
  if (pinnedAt !== undefined) params.set('at', String(Math.round(pinnedAt)));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The time of an address; undefined where it has none that is known. */
export function parseTime(text: string): ShownTime | undefined {
  const params = new URLSearchParams(text);
  const number = (name: string): number | undefined => {
    const value = params.get(name) ?? '';
    return /^\d{1,16}$/.test(value) ? Number(value) : undefined;
  };
  const [from, to, pinnedAt] = [number('from'), number('to'), number('at')];
  const live = liveSpans.find(({ spanMs }) => nameOf(spanMs) === params.get('last'));
  if (from !== undefined && to !== undefined && from < to)
    return { choice: { kind: 'still', span: { from, to } }, pinnedAt };
  return live && { choice: { kind: 'live', spanMs: live.spanMs }, pinnedAt };
}

interface Place {
  readonly hash: () => string;
  /** Puts another address in the place of the present one, without an entry in the history of the window. */
  readonly replace: (hash: string) => void;
  readonly onChange: (listener: () => void) => void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Keeps the time shown, the address and the next start in step: an address with a time brings it, and every view of the time
 * has it in its address. Only a time that ends now is kept over starts.
 */
export function keepTime(view: StoreApi<ViewState>, { hash, replace, onChange, storage }: Place): void {
  const write = () => {
    const { span, pinnedAt } = view.getState();
    const [path = ''] = hash().split('?', 1);
    if (!hasTime(hash())) return;
    const next = `${path}${timeText({ choice: span.choice, pinnedAt })}`;
    if (next !== hash()) replace(next);
  };
  const read = () => {
    const [, text = ''] = hash().split('?', 2);
    const time = hasTime(hash()) ? parseTime(text) : undefined;
    const { span, pinnedAt } = view.getState();
    if (time && timeText({ choice: span.choice, pinnedAt }) !== timeText(time))
      view.setState({ span: { choice: time.choice, before: [] }, pinnedAt: time.pinnedAt });
    write();
  };
  try {
    const kept = parseTime(storage.getItem(KEY) ?? '');
    if (kept?.choice.kind === 'live') view.setState({ span: chooseLive(kept.choice.spanMs) });
  } catch {
    // The window has no local storage.
  }
  view.subscribe((state, before) => {
    if (state.span === before.span && state.pinnedAt === before.pinnedAt) return;
    write();
    if (state.span.choice.kind !== 'live' || state.span === before.span) return;
    try {
      storage.setItem(KEY, timeText({ choice: state.span.choice }));
    } catch {
      // A full or forbidden storage loses the choice for the next start only.
    }
  });
  onChange(read);
  read();
}
