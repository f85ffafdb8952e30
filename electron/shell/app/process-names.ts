import { ownValue } from '../../../shared/own-value.ts';
/** Electron's facts about the kind of a process. */
export interface NamedProcess {
  readonly type: string;
  readonly name?: string;
  readonly serviceName?: string;
}

const names: Readonly<Record<string, string>> = {
  Browser: 'Main process',
  Tab: 'Window',
  GPU: 'Graphics',
  Zygote: 'Process starter',
  'Sandbox helper': 'Sandbox helper',
};

/** Returns the display name of a process of the app: its role, or its Chromium service. */
export function processName({ type, name, serviceName }: NamedProcess): string {
  return ownValue(names, type) ?? (name || serviceName || type);
}
