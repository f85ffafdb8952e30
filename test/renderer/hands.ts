import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import type { Services } from '../../renderer/services.ts';
import { inWindow } from './in-window.ts';

/** Shows a view in place of what the test showed before, waits for its first answers, and takes it away with the test. */
export async function showView(services: Services, view: ReactNode) {
  cleanup();
  onTestFinished(cleanup);
  return act(async () => render(inWindow(services, view)));
}

// Dialogs count as hidden, because the page of the tests draws no top layer.
const hidden = true;

export const button = (name: string | RegExp) =>
  screen.getByRole<HTMLButtonElement>('button', { name, hidden });
export const box = (name: string | RegExp) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name, hidden });
export const dialog = () => screen.queryByRole('dialog', { hidden });

/** Clicks a button, and waits for what it does. */
export const press = (name: string | RegExp) => act(async () => fireEvent.click(button(name)));
/** Clicks a check box. */
export const tick = (name: string | RegExp) => act(async () => fireEvent.click(box(name)));
/** Writes into a field, or chooses of a list. */
export const type = (label: string | RegExp, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
