import { describe, expect, it } from 'vitest';
import { letNoteEnd, NOTE_SECONDS } from '../../../renderer/commands/manage-note.tsx';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { applySnapshot, createPanelStore } from '../../../renderer/store/panel-store.ts';
import { createRouteStore, parseRoute } from '../../../renderer/store/route-store.ts';
import { aServer, aSnapshot } from '../builders.ts';

function setUp(hash = '#/servers') {
  const clock = createClockStore(() => 0);
  const route = createRouteStore(hash);
  const panel = createPanelStore();
  panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers: [aServer('one')] })));
  const note = { isHeld: false, ends: 0 };
  const undo = letNoteEnd({ clock, route, panel, isHeld: () => note.isHeld, end: () => (note.ends += 1) });
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) clock.setState({ now: clock.getState().now + 1000 });
    return note.ends;
  };
  const go = (to: string) => {
    route.setState({ route: parseRoute(to) });
    return note.ends;
  };
  return { note, pass, go, undo };
}

describe('a note', () => {
  it('ends after a while', () => {
    const { pass } = setUp();
    expect(pass(NOTE_SECONDS - 1)).toBe(0);
    expect(pass(1)).toBe(1);
  });

  it('stays while the pointer or the focus is in it, and has its whole time again afterwards', () => {
    const { note, pass } = setUp();
    pass(NOTE_SECONDS - 1);
    note.isHeld = true;
    expect(pass(60)).toBe(0);
    note.isHeld = false;
    expect(pass(NOTE_SECONDS - 1)).toBe(0);
    expect(pass(1)).toBe(1);
  });

  it('ends when the view is left, not when a tab of it is chosen', () => {
    const { go } = setUp('#/servers/one');
    expect(go('#/servers/one/tools')).toBe(0);
    expect(go('#/servers')).toBe(1);
  });

  it('outlives the page of the server that it tells the removal of', () => {
    const { go } = setUp('#/servers/removed');
    expect(go('#/servers')).toBe(0);
    expect(go('#/activity')).toBe(1);
  });

  it('leaves nothing behind', () => {
    const { pass, go, undo } = setUp();
    undo();
    pass(60);
    expect(go('#/activity')).toBe(0);
  });
});
