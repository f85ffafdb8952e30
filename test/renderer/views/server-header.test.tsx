import { MantineProvider } from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import { ServicesContext } from '../../../renderer/services.ts';
import { theme } from '../../../renderer/theme.ts';
import { ServerHeader } from '../../../renderer/views/server-header.tsx';
import { aServer } from '../builders.ts';

const silentApi = new Proxy({} as ControlPanelApi, {
  get: () => () => new Promise<never>(() => undefined),
});

function render(changes: Partial<ServerView>): string {
  return renderToString(
    <MantineProvider env="test" theme={theme}>
      <ServicesContext value={createServices(silentApi, '')}>
        <ServerHeader
          server={aServer('one', { transport: 'http', target: 'https://a.example/mcp', ...changes })}
        />
      </ServicesContext>
    </MantineProvider>,
  ).replaceAll('<!-- -->', '');
}

it('says of a server whose certificate is not checked that it is not, and nothing of the others', () => {
  expect(render({ isTlsUnverified: true })).toContain('certificate not checked');
  expect(render({})).not.toContain('certificate');
});

it('says of an unstable server since when it runs, and then how often it stopped', () => {
  const unstable = { ends24h: 2, ends7d: 14, since: 0, lastEndAt: 0 };
  const state = { kind: 'running', since: Date.now() } as const;
  const words = render({ unstable, state })
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/\|+/g, '|');
  expect(words).toMatch(
    /\|Running\|since [\d:]+\|Unstable\|14 unplanned stops in 7 days, 2 of them in 24 h\|/,
  );
});
