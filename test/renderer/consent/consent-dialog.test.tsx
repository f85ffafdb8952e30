// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { ConsentDialog } from '../../../renderer/consent/consent-dialog.tsx';
import { applyPush } from '../../../renderer/store/panel-store.ts';
import { AskingBanner } from '../../../renderer/views/asking-banner.tsx';
import { aPush, aServer } from '../builders.ts';
import { press, showView, tick } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

type Consent = Awaited<ReturnType<ControlPanelApi['getConsent']>>;

const consentTo = (digest: string, change: Partial<Consent['difference']> = {}): Consent => ({
  digest,
  difference: { isNew: false, receivers: [], words: [], lines: [], ...change },
});

const asking = (name: string, digest: string, isPostponed = false) =>
  aServer(name, { consent: { digest, ...(isPostponed && { isPostponed: true as const }) } });

async function show(servers: ReturnType<typeof asking>[], api: Partial<ControlPanelApi>, server?: string) {
  const services = servicesWith(api, { servers });
  services.manage.open({ kind: 'consent' });
  const view = (
    <>
      <AskingBanner />
      <ConsentDialog server={server} />
    </>
  );
  await showView(services, view);
  return services;
}

const textOf = (part: string) => screen.getByRole('region', { name: part }).textContent;

describe('the question about a definition from outside', () => {
  it('says first who gets a secret anew, shows each change whole, and agrees to what was shown', async () => {
    const agreed: unknown[] = [];
    await show([asking('files', 'd1')], {
      getConsent: () =>
        Promise.resolve(
          consentTo('d1', {
            receivers: ['api.example.com gets GITHUB_TOKEN'],
            words: ['Runs a shell.'],
            lines: [{ field: 'args[1]', before: '--root /srv', after: '--root /' }],
          }),
        ),
      agree: (answer) => Promise.resolve(void agreed.push(answer)),
    });
    const words = textOf('files');
    expect(words?.indexOf('api.example.com')).toBeLessThan(words?.indexOf('Runs a shell.') ?? 0);
    expect(screen.getByLabelText('argument 2 before').textContent).toBe('− --root /srv');
    expect(screen.getByLabelText('argument 2 now').textContent).toBe('+ --root /');
    await press('Agree to files');
    expect(agreed).toEqual([{ name: 'files', digest: 'd1' }]);
  });

  it('pins the installed version where a person ticks that', async () => {
    const agreed: unknown[] = [];
    await show([asking('files', 'd1')], {
      getConsent: () => Promise.resolve(consentTo('d1', { pin: { package: 'x', version: '1.4.2' } })),
      agree: (answer) => Promise.resolve(void agreed.push(answer)),
    });
    await tick(/^Pin x to 1\.4\.2/);
    await press('Agree to files');
    expect(agreed).toEqual([{ name: 'files', digest: 'd1', pin: true }]);
  });

  it('is replaced by a second edit, and closes once nothing waits', async () => {
    const digests = ['d1', 'd2'];
    const services = await show([asking('files', 'd1')], {
      getConsent: () => {
        const digest = digests.shift() ?? '';
        return Promise.resolve(consentTo(digest, { words: [`words of ${digest}`] }));
      },
    });
    expect(textOf('files')).toContain('words of d1');
    const push = (sequence: number, server: ReturnType<typeof aServer>) =>
      act(async () =>
        services.panel.setState((state) => applyPush(state, aPush(sequence, { servers: [server] }))),
      );
    await push(1, asking('files', 'd2'));
    expect(textOf('files')).toContain('words of d2');
    await push(2, aServer('files'));
    expect(services.manage.state.getState().dialog).toBeUndefined();
  });

  it('is one for several servers, and can be put off for each', async () => {
    const [agreed, postponed]: [unknown[], unknown[]] = [[], []];
    await show([asking('a', 'd1'), asking('b', 'd2'), asking('c', 'd3', true)], {
      getConsent: (name) => Promise.resolve(consentTo({ a: 'd1', b: 'd2', c: 'd3' }[name] ?? '')),
      agree: (answer) => Promise.resolve(void agreed.push(answer)),
      postpone: (answer) => Promise.resolve(void postponed.push(answer)),
    });
    expect(screen.getByRole('status', { name: 'Changed outside the panel' }).textContent).toContain(
      '2 servers were added or changed',
    );
    expect(
      within(screen.getByRole('region', { name: 'c' })).getByText('Your answer: not now.'),
    ).toBeDefined();
    await press('Agree to all 3 servers');
    expect(agreed).toEqual([
      { name: 'a', digest: 'd1' },
      { name: 'b', digest: 'd2' },
      { name: 'c', digest: 'd3' },
    ]);
    await press('Not now for a');
    expect(postponed).toEqual([{ name: 'a', digest: 'd1' }]);
  });
});
