import { useState } from 'react';
import type { GatewayStatus } from '../../shared/gateway.ts';
import { useServices } from '../services.ts';
import { useSettingStatus } from '../settings/use-settings.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { systemOf } from './client-programs.ts';
import {
  metricsReaders,
  metricsSnippet,
  readerNames,
  readerNotes,
  type MetricsReader,
} from './metrics-snippet.ts';
import { SnippetBox } from './snippet-box.tsx';
import styles from './client-dialog.module.css';

interface MetricsSnippetsProps {
  /** Status of the gateway; undefined until it is known. */
  readonly gateway: GatewayStatus | undefined;
  readonly token: string;
}

const choices = metricsReaders.map((value) => ({ value, label: readerNames[value] }));

/** Snippets for the programs that read metrics. */
export function MetricsSnippets({ gateway, token }: MetricsSnippetsProps) {
  const [reader, setReader] = useState<MetricsReader>('prometheus');
  if (gateway === undefined) return null;
  const { url, servesMetrics = false } = gateway;
  return (
    <>
      {!servesMetrics && <MetricsOff />}
      <Segments name="Program" value={reader} choices={choices} onChange={setReader} />
      <p className={styles.note}>{readerNotes[reader]}</p>
      <SnippetBox
        name={`Configuration for ${readerNames[reader]}`}
        text={metricsSnippet(reader, { url, token, system: systemOf(navigator.platform) })}
      />
    </>
  );
}

/** Note that metrics are off, which they are by default, with a button that turns them on. */
function MetricsOff() {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.metrics');
  const turnOn = () => void settings.set('gateway.metrics', true).then(() => clients.refresh());
  return (
    <>
      <p className={styles.off}>
        <span>The panel does not serve metrics yet.</span>
        <TextButton isBusy={status?.phase === 'pending'} onClick={turnOn}>
          Serve them
        </TextButton>
      </p>
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server="settings.json" lead="Not turned on" />
      )}
    </>
  );
}
