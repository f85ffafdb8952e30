// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Diagnostics } from '../../../shared/diagnostics.ts';
import { DiagnosticsDialog } from '../../../renderer/diagnostics/diagnostics-dialog.tsx';
import { button, press, showView, tick } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const found: Diagnostics = {
  at: Date.UTC(2026, 0, 31, 9, 5),
  sections: [
    { id: 'versions', title: 'Versions', text: 'MCP Control Panel 1.2.3' },
    { id: 'logs', title: 'Logs', text: 'first\nsecond' },
  ],
};

interface Given {
  readonly answer?: () => Promise<Diagnostics>;
  readonly save?: () => Promise<string | null>;
}

async function show({
  answer = () => Promise.resolve(found),
  save = () => Promise.resolve('/tmp/d.md'),
}: Given = {}) {
  await showView(servicesWith({ getDiagnostics: answer, saveFile: save }), <DiagnosticsDialog />);
}

describe('the dialog of diagnostics', () => {
  it('shows each part with its size, and its text when it is wanted', async () => {
    await show();
    expect(screen.getByText(/^2 lines, 1\sKiB$/)).toBeTruthy();
    expect(screen.queryByText(/second/)).toBeNull();
    await press('Show Logs');
    expect(screen.getByLabelText('Text of Logs').textContent).toBe('first\nsecond');
    await press('Hide Logs');
    expect(screen.queryByText(/second/)).toBeNull();
  });

  it('says nothing where the person cancels, and why where it could not be saved', async () => {
    await show({ save: () => Promise.resolve(null) });
    await press('Save…');
    expect(screen.queryByText(/Saved/)).toBeNull();
    const refused = Object.assign(new Error('The disk is full.'), { code: 'FILE_NOT_WRITTEN' });
    await show({ save: () => Promise.reject(refused) });
    await press('Save…');
    expect(screen.getByText(/The disk is full/)).toBeTruthy();
  });

  it('offers nothing to save before it has come, where nothing is chosen, and where it failed', async () => {
    const isOffered = () => !button('Save…').disabled;
    await show({ answer: () => new Promise(() => undefined) });
    expect(isOffered()).toBe(false);
    await show();
    expect(isOffered()).toBe(true);
    await tick('Logs');
    await tick('Versions');
    expect(isOffered()).toBe(false);
    const unknown = Object.assign(new Error('There is no such server.'), { code: 'SERVER_UNKNOWN' });
    await show({ answer: () => Promise.reject(unknown) });
    expect(isOffered()).toBe(false);
    expect(screen.getByText(/no such server/)).toBeTruthy();
  });
});
