import { expect, it } from 'vitest';
import { Overview } from '../../../renderer/views/overview.tsx';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { stateTable } from '../../shared/state-table.ts';
import { aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

const enabledIn = (markup: string) =>
  ['Start', 'Stop', 'Restart'].filter((verb) => !tagOf(markup, `${verb} one`).includes('disabled=""'));

it.each(stateTable)(
  'list and page say and offer what the tray does: $kind, automatic starts $restartAttempt',
  ({ kind, restartAttempt, word, commands }) => {
    const servers = [aServer('one', { state: { kind, since: 0 }, restartAttempt })];
    const list = render(<Overview />, { servers });
    const row = list.slice(list.indexOf('role="row"'));
    const page = render(<ServerPage name="one" tab="overview" />, { servers });
    for (const markup of [row, page]) {
      expect(count(markup, `>${word}</span>`)).toBe(1);
      expect(enabledIn(markup)).toEqual(commands);
    }
  },
);
