import type { OpenFilesKind } from '../../../../shared/open-files.ts';
import type { ClientTotals } from '../../telemetry/calls/client-calls.ts';
import {
  callFamilies,
  clientFamily,
  type MeasuredServer,
  resourceFamilies,
  stateFamilies,
} from './families.ts';
import { metricText } from './metric-text.ts';

/** All figures of the panel at one moment. */
export interface MetricsSnapshot {
  readonly version: string;
  readonly servers: readonly MeasuredServer[];
  readonly clients: readonly ClientTotals[];
  /** Meaning of the figure for open files. Default: that of this system. */
  readonly openFilesKind?: OpenFilesKind;
}

/** The snapshot as OpenMetrics 1.0 text. Unknown figures have no sample. Counters begin at 0 with the app run. */
export function openMetrics({ version, servers, clients, openFilesKind }: MetricsSnapshot): string {
  return metricText([
    {
      name: 'mcp_panel',
      help: 'The panel itself.',
      metric: { kind: 'info', samples: [{ labels: { version }, value: 1 }] },
    },
    ...stateFamilies(servers),
    ...resourceFamilies(servers, openFilesKind),
    ...callFamilies(servers),
    clientFamily(clients),
  ]);
}
