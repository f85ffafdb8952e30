// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ContainersSection } from '../../../renderer/settings/containers-section.tsx';
import type { EngineView } from '../../../shared/ipc/topics/engines.ts';
import { aServer } from '../builders.ts';
import { showView } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

async function show(engines: EngineView[]) {
  const host = { kind: 'container' as const, engine: 'docker' };
  const services = servicesWith(
    { getEngines: () => Promise.resolve(engines) },
    { servers: [aServer('boxed', { host }), aServer('plain', { host: { kind: 'process' } })] },
  );
  await showView(services, <ContainersSection />);
}

describe('the page of container engines', () => {
  it('says of each whether it was reached, its images and its servers', async () => {
    await show([
      { engine: 'docker', version: '28.2.1', imagesSize: '1.2GB' },
      { engine: 'podman', problem: 'Cannot connect to Podman.' },
    ]);
    const [docker, podman] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(docker).toBe('docker runs, version 28.2.1, images use 1.2GBboxed');
    expect(podman).toBe('podman not reached: Cannot connect to Podman.no servers');
    expect(screen.getByRole('link', { name: 'boxed' }).getAttribute('href')).toBe('#/servers/boxed');
  });

  it('says that there is none', async () => {
    await show([]);
    expect(screen.getByRole('status').textContent).toBe('Neither docker nor podman is on this machine.');
  });
});
