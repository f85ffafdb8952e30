import { ownValue } from '../../../shared/own-value.ts';
/** What Electron tells of the kind of a process. */
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

/** What a process of the app is called: its part in it, or the service of Chromium that it is. */
export function processName({ type, name, serviceName }: NamedProcess): string {
  return ownValue(names, type) ?? (name || serviceName || type);
}
