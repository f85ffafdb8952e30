import type { GatewayStatus } from '../../shared/gateway.ts';
import { useClients, useServices } from '../services.ts';
import { useSettingStatus } from '../settings/use-settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './clients.module.css';

/** Address at which clients reach the servers, or the reason why they cannot and a remedy. */
export function Endpoint() {
  const gateway = useClients((state) => state.gateway);
  if (gateway === undefined) return null;
  return (
    <section className={styles.endpoint} aria-label="Endpoint">
      {gateway.isListening && <Listening url={gateway.url} />}
      {gateway.isOff && <Off />}
      {gateway.error !== undefined && <Trouble error={gateway.error} isListening={gateway.isListening} />}
      {gateway.clientsProblem !== undefined && <p className={styles.problem}>{gateway.clientsProblem}</p>}
    </section>
  );
}

function Listening({ url }: Pick<GatewayStatus, 'url'>) {
  return (
    <>
      <p className={styles.address}>
        <StateShape kind="running" />
        <span>Listening at</span>
        <code>{url}</code>
        <CopyButton name="Copy the address" text={url} />
      </p>
      <p className={styles.dim}>
        Each server has an address of its own: <code>{`${url}/servers/<name>/mcp`}</code>
      </p>
    </>
  );
}

function Off() {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.enabled');
  const turnOn = () => void settings.set('gateway.enabled', true).then(() => clients.refresh());
  return (
    <>
      <p className={styles.address}>
        <StateShape kind="stopped" />
        <span>The endpoint is off. No client reaches a server through the panel.</span>
        <TextButton isBusy={status?.phase === 'pending'} onClick={turnOn}>
          Turn it on
        </TextButton>
      </p>
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server="settings.json" lead="Not turned on" />
      )}
    </>
  );
}

interface TroubleProps {
  readonly error: NonNullable<GatewayStatus['error']>;
  /** Whether the gateway still listens at its previous port. */
  readonly isListening: boolean;
}

/** Problem of the endpoint, such as a port in use, with a button that takes another port. */
function Trouble({ error, isListening }: TroubleProps) {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.port');
  const port = error.data?.freePort;
  const take = () => void settings.set('gateway.port', port).then(() => clients.refresh());
  return (
    <div className={styles.stack}>
      <ErrorNote
        error={error}
        server="endpoint"
        lead={isListening ? 'The port was not changed' : 'No client can connect'}
      />
      {port !== undefined && (
        <p className={styles.address}>
          <TextButton isBusy={status?.phase === 'pending'} onClick={take}>
            Use port {port}
          </TextButton>
          <span className={styles.dim}>
            It is free. Clients that are set up already need the new address.
          </span>
        </p>
      )}
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server="settings.json" lead="Not changed" />
      )}
    </div>
  );
}
