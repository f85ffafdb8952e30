import { useEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import { toReport } from '../control-panel.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useServices } from '../services.ts';
import type { DoneManageNote } from '../store/manage-store.ts';
import type { PanelStore } from '../store/panel-store.ts';
import type { Route, RouteStore } from '../store/route-store.ts';
import type { ClockStore } from '../store/clock-store.ts';

/** The note is drawn over the view, so that no row moves under the pointer when the note appears or disappears. */
const PLACE =
  'fixed right-16 bottom-16 z-40 max-w-[min(560px,calc(100vw-32px))] rounded-lg bg-raised [box-shadow:var(--shadow-pop)]';

/** Note that reports the last change with an undo button, or the error of that change. */
export function ManageNotice() {
  const { manage } = useServices();
  const note = useStore(manage.state, (state) => state.note);
  const dismiss = () => manage.setNote(undefined);
  if (note === undefined) return null;
  if (note.kind === 'failed')
    return (
      <div className={PLACE} role="alert">
        <ErrorNote
          error={note.error}
          server={note.server}
          lead={`${note.lead} ${note.server}`}
          onDismiss={dismiss}
        />
      </div>
    );
  return <DoneNote note={note} />;
}

function DoneNote({ note }: { readonly note: DoneManageNote }) {
  const { manage, clock, route, panel } = useServices();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isHeld = () => element.current?.matches(':hover, :focus-within') === true;
    return letNoteEnd({ clock, route, panel, isHeld, end: () => manage.setNote(undefined) });
  }, [note, manage, clock, route, panel]);
  const { words, undo, action } = note;
  return (
    <div
      ref={element}
      className={`${PLACE} flex items-center gap-8 py-6 pr-8 pl-12 border border-strong-line`}
      role="status"
    >
      <p className="min-w-0 flex-1 py-4 wrap-anywhere">{words}</p>
      {action !== undefined && <NextStep {...action} />}
      {undo !== undefined && <TextButton onClick={() => void undo()}>Undo</TextButton>}
      <IconButton
        icon="close"
        name="Dismiss the note"
        tip="Dismiss the note  Esc"
        onClick={() => manage.setNote(undefined)}
      />
    </div>
  );
}

/** Button for the next step that a note offers. If the step fails, its error replaces the note. */
function NextStep({ label, run }: NonNullable<DoneManageNote['action']>) {
  const { manage } = useServices();
  const take = () =>
    run().catch((reason: unknown) =>
      manage.setNote({ kind: 'failed', lead: label, server: '', error: toReport(reason) }),
    );
  return <TextButton onClick={() => void take()}>{label}</TextButton>;
}

/** Seconds for which a note is shown, counted only while the app window is visible: enough to read a line and to undo. */
export const NOTE_SECONDS = 10;

interface NoteEndOptions {
  readonly clock: ClockStore;
  readonly route: RouteStore;
  readonly panel: PanelStore;
  /** Returns true while the pointer or the focus is in the note. */
  readonly isHeld: () => boolean;
  readonly end: () => void;
}

/**
 * Ends a note after `NOTE_SECONDS`, or when the user leaves the view. While the pointer or the focus is in the note, the time
 * does not run; it starts from zero afterwards. Returns a function that cancels both.
 */
export function letNoteEnd({ clock, route, panel, isHeld, end }: NoteEndOptions): () => void {
  let seconds = 0;
  let from = route.getState().route;
  const stopClock = clock.subscribe(() => {
    seconds = isHeld() ? 0 : seconds + 1;
    if (seconds >= NOTE_SECONDS) end();
  });
  const stopRoute = route.subscribe(({ route: to }) => {
    // The page of a removed server closes automatically, so that a change of the route does not mean that the user left the
    // view.
    const isPageGone = from.view === 'server' && !panel.getState().servers.has(from.name);
    if (!isPageGone && !isSameView(from, to)) end();
    from = to;
  });
  return () => {
    stopClock();
    stopRoute();
  };
}

/** True if two routes show the same view. All tabs of a server count as one view. */
function isSameView(one: Route, other: Route): boolean {
  if (one.view === 'server' && other.view === 'server') return one.name === other.name;
  return one.view === other.view;
}
