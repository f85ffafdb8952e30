// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SharingView } from '../../../shared/sessions-view.ts';
import { SleepOffer } from '../../../renderer/views/sleep-offer.tsx';
import { ManageLayer } from '../../../renderer/views/manage-layer.tsx';
import { aSample, aServer } from '../builders.ts';
import { showView } from '../hands.ts';
import { servicesWith } from '../in-window.ts';
import { DAY_MS } from '../../../shared/units.ts';

const MIB = 1024 * 1024;
const NOW = 100 * DAY_MS;

const holding = (mib: number) => ({ sample: aSample(NOW, { memoryBytes: mib * MIB }) });
const sharingOf = (name: string): SharingView =>
  name === 'browser'
    ? { mode: 'exclusive', reason: 'catalogue', setting: 'auto', words: 'It holds tabs.' }
    : { mode: 'shared', reason: 'default', setting: 'auto', words: 'Sharing is safe.' };

/** Window with four servers, of which "used" was called today and the others were called 8 days ago. */
async function show(refuses = false) {
  const said: string[] = [];
  const services = servicesWith(
    {
      getSessions: (name) => Promise.resolve({ sharing: sharingOf(name), sessions: [] }),
      setSleepAfter: (names, ms) => {
        said.push(`${names.join(' ')} after ${ms}`);
        return refuses ? Promise.reject(new Error('The disk is full.')) : Promise.resolve(undefined);
      },
      sleepServer: (name) => (said.push(`sleep ${name}`), Promise.resolve(undefined)),
    },
    {
      servers: [
        aServer('small', holding(100)),
        aServer('large', holding(300)),
        aServer('browser', holding(200)),
        aServer('used', holding(900)),
        aServer('away', { transport: 'http' }),
      ],
    },
  );
  services.clock.setState({ now: NOW });
  const unused = { calls: 0, errors: 0, lastAt: NOW - 8 * DAY_MS, unusedSince: NOW - 8 * DAY_MS };
  services.past.called.setState(
    new Map([
      ...['small', 'large', 'browser', 'away'].map((name) => [name, unused] as const),
      ['used', { calls: 1, errors: 0, lastAt: NOW, unusedSince: NOW }],
    ]),
    true,
  );
  const view = (
    <>
      <SleepOffer />
      <ManageLayer />
    </>
  );
  await showView(services, view);
  return { said, services };
}

const open = () => act(async () => fireEvent.click(screen.getByText('Let them sleep…')));
const isTicked = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`)).checked;

it('the window offers to let servers sleep that nobody called for a week, with what they hold', async () => {
  const { services } = await show();
  expect(screen.getByText('3 servers without a call for 7 days use 600 MiB')).toBeDefined();
  fireEvent.click(screen.getByLabelText('Dismiss the suggestion'));
  expect(services.view.getState().offersSleep).toBe(false);
  expect(screen.queryByText(/without a call/)).toBeNull();
});

it('the unused servers are ticked, but not one that is known to keep something in its process', async () => {
  const { said, services } = await show();
  await open();
  expect(['large', 'small', 'browser', 'used'].map(isTicked)).toEqual([true, true, false, false]);
  expect(screen.getByText(/It holds tabs/)).toBeDefined();
  expect(screen.getByText('Frees 400 MiB now.')).toBeDefined();
  await act(async () => fireEvent.click(screen.getByText('Let 2 servers sleep')));
  expect(said).toEqual(['large small after 3600000', 'sleep large', 'sleep small']);
  expect(services.manage.state.getState().note).toMatchObject({
    words: '2 servers sleep when unused for 1 h.',
  });
  expect(services.view.getState().offersSleep).toBe(false);
});

it('a refusal is told in the dialog, and nothing sleeps', async () => {
  const { said } = await show(true);
  await open();
  await act(async () => fireEvent.click(screen.getByText('Let 2 servers sleep')));
  expect(screen.getByText(/The disk is full/)).toBeDefined();
  expect(said).toEqual(['large small after 3600000']);
});
