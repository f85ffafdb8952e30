import { METRICS_PATH } from '../../shared/gateway-use.ts';
import type { System } from './client-programs.ts';
import { inQuotes } from './client-snippet.ts';

/** Programs that can read metrics, in the order of the choice. */
export const metricsReaders = ['prometheus', 'curl'] as const;
export type MetricsReader = (typeof metricsReaders)[number];

export const readerNames: Readonly<Record<MetricsReader, string>> = {
  prometheus: 'Prometheus',
  curl: 'curl',
};

export const readerNotes: Readonly<Record<MetricsReader, string>> = {
  prometheus:
    'Add the job to prometheus.yml. Prometheus has to run on this machine: no other one reaches the address.',
  curl: 'Run it in a terminal to see what there is.',
};

export interface MetricsSource {
  /** Base address of the endpoint. */
  readonly url: string;
  readonly token: string;
  readonly system: System;
}

/** Snippet for a program that reads metrics. */
export function metricsSnippet(reader: MetricsReader, { url, token, system }: MetricsSource): string {
  if (reader === 'curl')
    return `curl --header ${inQuotes(`Authorization: Bearer ${token}`, system)} ${url}${METRICS_PATH}`;
  return [
    'scrape_configs:',
    '  - job_name: mcp-control-panel',
    `    metrics_path: ${METRICS_PATH}`,
    '    authorization:',
    `      credentials: ${token}`,
    '    static_configs:',
    `      - targets: ['${new URL(url).host}']`,
  ].join('\n');
}
