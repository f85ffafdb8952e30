// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Inspector } from '../../../renderer/inspector/inspector.tsx';
import { anOfferInTexts, aServer } from '../builders.ts';
import { showView } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

/** The tools of a server below a header with a button. Gives the names of the tools that are called. */
async function showTools(): Promise<readonly string[]> {
  const called: string[] = [];
  const offer = anOfferInTexts({ tools: [{ name: 'echo' }, { name: 'other' }] });
  const services = servicesWith({
    getOfferTexts: () => Promise.resolve(offer),
    callServer: ({ params }) => {
      called.push(String(params['name']));
      return Promise.resolve({ result: { content: [{ type: 'text', text: 'heard' }] }, durationMs: 1 });
    },
  });
  const page = (
    <>
      <button type="button">Stop one</button>
      <Inspector server={aServer('one')} />
    </>
  );
  await showView(services, page);
  await screen.findByRole('form', { name: 'Arguments of echo' });
  return called;
}

const press = (element: Element) =>
  act(async () => void fireEvent.keyDown(element, { key: 'Enter', ctrlKey: true }));

it('calls the tool from its form, from its answer and from its entry of the list', async () => {
  const called = await showTools();
  await press(screen.getByLabelText('Time limit'));
  expect(called).toEqual(['echo']);
  await press(screen.getByText('heard'));
  expect(called).toHaveLength(2);
  await press(screen.getByRole('button', { name: 'echo' }));
  expect(called).toHaveLength(3);
});

it('leaves the key to the server everywhere else on its page', async () => {
  const called = await showTools();
  await press(screen.getByRole('button', { name: 'Stop one' }));
  await press(screen.getByRole('button', { name: 'other' }));
  await press(document.body);
  expect(called).toEqual([]);
});
