import { useCallback, useEffect, useState } from 'react';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { SecretStoreView } from '../../shared/secret-store.ts';
import { usePanel, useServices } from '../services.ts';
import type { PlainValue } from '../store/move-to-secrets.ts';

export type SecretView = Awaited<ReturnType<ControlPanelApi['listSecrets']>>[number];

export interface Secrets {
  readonly store: SecretStoreView;
  readonly secrets: readonly SecretView[];
  /** Values in servers.json that look like keys. */
  readonly plain: readonly PlainValue[];
}

async function readSecrets(api: ControlPanelApi): Promise<Secrets> {
  const [store, secrets, plain] = await Promise.all([
    api.getSecretStore(),
    api.listSecrets(),
    api.listPlainSecrets(),
  ]);
  return { store, secrets, plain };
}

/** What the store of secrets holds, without values; undefined until it is known. Read again after each change. */
export function useSecrets(): { readonly known: Secrets | undefined; readonly refresh: () => Promise<void> } {
  const { api } = useServices();
  const [known, setKnown] = useState<Secrets>();
  const state = usePanel(({ config }) => config.secretStore?.state);
  const refresh = useCallback(async () => setKnown(await readSecrets(api)), [api]);
  useEffect(() => {
    readSecrets(api).then(setKnown, () => setKnown(undefined));
  }, [api, state]);
  return { known, refresh };
}
