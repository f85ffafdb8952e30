import type { ReactNode } from 'react';
import { endpointName, isCombined } from '../../shared/gateway-use.ts';
import { hrefOf } from '../store/route-store.ts';

interface EndpointLinkProps {
  readonly server: string;
  readonly tip?: string;
  readonly children?: ReactNode;
}

/** Link to the sessions of a server. An endpoint of several servers has no page, so only its name is shown. */
export function EndpointLink({ server, tip, children }: EndpointLinkProps) {
  const name = endpointName(server);
  if (isCombined(server)) return <span data-tip={tip}>{name}</span>;
  return (
    <a
      className="inline-flex items-center gap-4 min-h-24 hover:link"
      href={hrefOf({ view: 'server', name: server, tab: 'sessions' })}
      data-tip={tip}
    >
      {name}
      {children}
    </a>
  );
}
