// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PastState } from '../../../shared/history.ts';
import { HistoryField } from '../../../renderer/settings/settings-pages.tsx';
import { showView } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const showField = (getHistoryState: () => Promise<PastState>) =>
  showView(servicesWith({ getHistoryState }), <HistoryField />);

describe('the history in the settings', () => {
  it('names its file, its size and its oldest day, and no problem where there is none', async () => {
    const oldestAt = new Date(2026, 8, 1, 12).getTime();
    await showField(() =>
      Promise.resolve({ keptIn: 'file', path: '/home/p/history.db', sizeBytes: 2 ** 20, oldestAt }),
    );
    await screen.findByText('1.00 MiB · since 2026-09-01');
    screen.getByText('/home/p/history.db');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('says what is wrong with it', async () => {
    const problem = 'history.db was damaged; it was set aside as history.db.damaged-1';
    await showField(() => Promise.resolve({ keptIn: 'file', path: '/a', problem }));
    expect((await screen.findByRole('status')).textContent).toBe(problem);
  });

  it('shows the newest state when the window comes to the front', async () => {
    let asked = 0;
    await showField(() => Promise.resolve({ keptIn: 'file', path: '/a', sizeBytes: (asked += 1) * 2 ** 20 }));
    await screen.findByText('1.00 MiB');
    window.dispatchEvent(new Event('focus'));
    await screen.findByText('2.00 MiB');
  });
});
