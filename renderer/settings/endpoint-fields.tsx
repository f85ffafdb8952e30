import { useState } from 'react';
import { settingDefaults } from '../../shared/setting-defaults.ts';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import { TextField } from '../ui/text-field.tsx';
import { PORT_HINT } from './setting-index.ts';
import { SettingOutcome } from './setting-outcome.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import styles from './endpoint-fields.module.css';

/** Settings of the endpoint through which clients use the servers. */
export function EndpointFields({ settings }: { readonly settings: Settings }) {
  return (
    <>
      <SettingSwitch path="gateway.enabled" />
      <PortField port={settings.gateway.port} />
      <SettingSwitch path="gateway.startOnDemand" />
      <SettingSwitch path="gateway.metrics" />
    </>
  );
}

/** Field for the port. It is saved when it loses the focus, because a half-typed number is invalid. */
function PortField({ port }: { readonly port: number }) {
  const { settings: store } = useServices();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(port);
  const problem = portProblem(text);
  const save = () => {
    if (problem !== undefined || typed === undefined) return;
    const value = Number(text);
    const forget = () => setTyped(undefined);
    if (value === port) return forget();
    void store.set('gateway.port', value).then(forget);
  };
  return (
    <form
      className={styles.line}
      data-setting="gateway.port"
      onBlur={save}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label="Port"
        value={text}
        error={problem}
        hint={`Usual: ${settingDefaults['gateway.port']}. ${PORT_HINT}`}
        onChange={setTyped}
      />
      <SettingOutcome path="gateway.port" label="Port" />
    </form>
  );
}

const MAX_PORT = 65_535;

/** Problem of a typed port; undefined for a valid one. 0 means any free port. */
export const portProblem = (text: string): string | undefined => numberProblem(text, MAX_PORT);

/** Problem of a typed number that has to be whole; undefined for a valid one. */
export function numberProblem(text: string, max: number): string | undefined {
  if (!/^\d+$/.test(text.trim())) return 'Expected a whole number.';
  return Number(text) > max ? `Expected at most ${max}.` : undefined;
}
