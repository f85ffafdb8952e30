import { useState } from 'react';
import { settingDefaults } from '../../shared/setting-defaults.ts';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import { Form } from '../ui/form.tsx';
import { TextField } from '../ui/text-field.tsx';
import { PORT_HINT, SEARCH_HINT, type NumberSetting } from './setting-index.ts';
import { SettingOutcome } from './setting-outcome.tsx';
import { SettingSwitch } from './setting-switch.tsx';

/** Settings of the gateway endpoint that clients connect to in order to use the servers. */
export function EndpointFields({ settings }: { readonly settings: Settings }) {
  return (
    <>
      <SettingSwitch path="gateway.enabled" />
      <NumberField
        path="gateway.port"
        label="Port"
        hint={PORT_HINT}
        value={settings.gateway.port}
        max={MAX_PORT}
      />
      <SettingSwitch path="gateway.startOnDemand" />
      <NumberField
        path="gateway.searchAboveTokens"
        label="Tool search"
        hint={SEARCH_HINT}
        unit="tokens"
        value={settings.gateway.searchAboveTokens}
        max={1_000_000}
      />
      <SettingSwitch path="gateway.metrics" />
    </>
  );
}

interface NumberFieldProps {
  readonly path: NumberSetting;
  readonly label: string;
  readonly hint: string;
  readonly unit?: string;
  readonly value: number;
  readonly max: number;
}

/** Field for a number. It is saved when it loses focus, because a half-typed number is invalid. */
function NumberField({ path, label, hint, unit, value: current, max }: NumberFieldProps) {
  const { settings: store } = useServices();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(current);
  const problem = numberProblem(text, max);
  const save = () => {
    if (problem !== undefined || typed === undefined) return;
    const value = Number(text);
    const forget = () => setTyped(undefined);
    if (value === current) return forget();
    void store.set(path, value).then(forget);
  };
  return (
    <Form
      className="flex items-start gap-12 [--label-width:90px] *:first:w-430"
      data-setting={path}
      onBlur={save}
      onSubmit={save}
    >
      <TextField
        label={label}
        value={text}
        error={problem}
        {...(unit !== undefined && { unit })}
        hint={`Usual: ${settingDefaults[path]}. ${hint}`}
        onChange={setTyped}
      />
      <SettingOutcome path={path} label={label} />
    </Form>
  );
}

const MAX_PORT = 65_535;

/** Returns the reason why a typed text is not a valid whole number. Undefined if it is valid. */
export function numberProblem(text: string, max: number): string | undefined {
  if (!/^\d+$/.test(text.trim())) return 'Expected a whole number.';
  return Number(text) > max ? `Expected at most ${max}.` : undefined;
}
