import { useState } from 'react';
import type { GatewayStatus } from '../../shared/gateway.ts';
import { useServices } from '../services.ts';
import { useSettingStatus } from '../settings/use-settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { systemOf, type System } from './client-programs.ts';
import { METRICS_PATH } from '../../shared/gateway-use.ts';
import { inQuotes } from './client-snippet.ts';

/** Programs that can read metrics, in the order in which they are offered. */
const readers = {
  prometheus: {
    name: 'Prometheus',
    note: 'Add the job to prometheus.yml. Prometheus has to run on this machine, because the address cannot be reached from another one.',
  },
  curl: { name: 'curl', note: 'Run it in a terminal to see what there is.' },
} as const;
type MetricsReader = keyof typeof readers;

interface MetricsSource {
  /** Base address of the panel's endpoint. */
  readonly url: string;
  readonly token: string;
  readonly system: System;
}

/** Returns a configuration snippet or a command with which a program reads the metrics. */
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

interface MetricsSnippetsProps {
  /** Status of the gateway; undefined until it is known. */
  readonly gateway: GatewayStatus | undefined;
  readonly token: string;
}

const choices = (['prometheus', 'curl'] as const).map((value) => ({ value, label: readers[value].name }));

/** Shows the snippets for the programs that can read metrics. */
export function MetricsSnippets({ gateway, token }: MetricsSnippetsProps) {
  const [reader, setReader] = useState<MetricsReader>('prometheus');
  if (gateway === undefined) return null;
  const { url, servesMetrics = false } = gateway;
  return (
    <>
      {!servesMetrics && <MetricsOff />}
      <Segments name="Program" value={reader} choices={choices} onChange={setReader} />
      <p className="mt-8 text-dim">{readers[reader].note}</p>
      <SnippetBox
        name={`Configuration for ${readers[reader].name}`}
        text={metricsSnippet(reader, { url, token, system: systemOf(navigator.platform) })}
      />
    </>
  );
}

/** Note that metrics are off (the default), with a button that turns them on. */
function MetricsOff() {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.metrics');
  const turnOn = () => void settings.set('gateway.metrics', true).then(() => clients.refresh());
  return (
    <>
      <p className="flex items-center gap-12 mb-8">
        <span>The panel does not serve metrics yet.</span>
        <TextButton isBusy={status?.phase === 'pending'} onClick={turnOn}>
          Serve them
        </TextButton>
      </p>
      <FailedNote status={status} server="settings.json" lead="Not turned on" />
    </>
  );
}

/** Box with a text that can only be copied as a whole. */
export function SnippetBox({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="flex items-start justify-between gap-8 mt-6 py-4 pr-4 pl-12 box">
      <pre className="flex-1 min-w-0 max-h-300 py-4" tabIndex={0} aria-label={name}>
        {text}
      </pre>
      <CopyButton name="Copy the configuration" text={text} />
    </div>
  );
}
