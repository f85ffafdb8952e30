import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { EngineView } from '../../shared/ipc/topics/engines.ts';
import { usePanel, useServices, useTask } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { FailedNote } from '../ui/error-note.tsx';

/** Section that lists the container engines of this machine. The engines are queried when the page is opened. */
export function ContainersSection() {
  const { api } = useServices();
  const { status, run } = useTask<readonly EngineView[]>();
  useEffect(() => void run(() => api.getEngines()), [api, run]);
  const engines = status?.phase === 'done' ? status.value : undefined;
  return (
    <>
      <p role="status" className="hint">
        {status?.phase === 'pending' && 'Asking the engines…'}
        {engines?.length === 0 && 'Neither docker nor podman is on this machine.'}
      </p>
      <FailedNote status={status} server="engines" lead="Not asked" />
      <ul aria-label="Container engines">
        {engines?.map((view) => (
          <Engine key={view.engine} {...view} />
        ))}
      </ul>
    </>
  );
}

function Engine({ engine, version, problem, imagesSize }: EngineView) {
  const names = usePanel(
    useShallow(({ names: all, servers }) => all.filter((name) => servers.get(name)?.host?.engine === engine)),
  );
  const state = version === undefined ? `not reached: ${problem}` : `runs, version ${version}`;
  return (
    <li className="flex items-center justify-between gap-12 py-4 border-t border-line">
      <span className="min-w-0 wrap-anywhere">
        <strong>{engine}</strong> {state}
        {imagesSize !== undefined && `, images use ${imagesSize}`}
      </span>
      <span>
        {names.length === 0 && 'no servers'}
        {names.map((name) => (
          <a key={name} className="mr-8" href={serverHref(name)}>
            {name}
          </a>
        ))}
      </span>
    </li>
  );
}
