import { expect, it } from 'vitest';
import { trayModel } from '../../electron/shell/tray-model.ts';
import { stateKinds } from '../../shared/server-states.ts';
import { Overview } from '../../renderer/views/overview.tsx';
import { ServerPage } from '../../renderer/views/server-page.tsx';
import { aServer } from './builders.ts';
import { render, tagOf } from './render-view.tsx';

const verbs = ['Start', 'Stop', 'Restart'];
/** Every state, in a first start and in an automatic one. */
const cases = stateKinds.flatMap((kind) =>
  [0, 1].map((restartAttempt) => aServer('one', { state: { kind, since: 0 }, restartAttempt })),
);

/** The word and the commands of the tray's menu. */
function inTray(server: (typeof cases)[number]) {
  const [item] = trayModel([server]).items;
  if (item === undefined || item === 'separator' || !('submenu' in item)) throw new Error('no submenu');
  const offered = item.submenu.filter(
    (entry) => entry !== 'separator' && 'command' in entry && entry.isEnabled,
  );
  return {
    word: item.label.split(': ')[1]!,
    commands: verbs.filter((verb) => offered.some((entry) => entry !== 'separator' && entry.label === verb)),
  };
}

/** Those of a view of the window. The word is the whole text of an element. */
const inWindow = (markup: string, word: string) => ({
  word: markup.includes(`>${word}</span>`) ? word : 'another word',
  commands: verbs.filter((verb) => !tagOf(markup, `${verb} one`).includes('disabled=""')),
});

it.each(cases)(
  'tray, list and page say and offer the same: $state.kind, automatic start $restartAttempt',
  (server) => {
    const tray = inTray(server);
    const list = render(<Overview />, { servers: [server] });
    const page = render(<ServerPage name="one" tab="overview" />, { servers: [server] });
    const row = list.slice(list.indexOf('role="row"'));
    expect(inWindow(row, tray.word)).toEqual(tray);
    expect(inWindow(page, tray.word)).toEqual(tray);
  },
);
