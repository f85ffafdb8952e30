import type { ConfigStatus } from '../../../shared/domain.ts';
import type { EventDetails } from '../../../shared/events.ts';
import type { LoadedConfig } from './loaded-config.ts';

/** The part of the journal (the panel's event log) that this module uses, to record that servers.json was rejected. */
interface RejectionLog {
  append(server: null, kind: 'config-rejected', detail: EventDetails['config-rejected']): unknown;
}

interface ConfigReportsOptions {
  /** Path of servers.json. */
  readonly path: string;
  readonly journal: RejectionLog;
  /** Writes one line to the terminal. */
  readonly notice: (line: string) => void;
}

/** Reports each problem of servers.json once, when it is new. */
export class ConfigReports {
  readonly #options: ConfigReportsOptions;
  #last: LoadedConfig | undefined;

  constructor(options: ConfigReportsOptions) {
    this.#options = options;
  }

  loaded(config: LoadedConfig): void {
    const { path, notice } = this.#options;
    const last = this.#last;
    this.#last = config;
    if (config.error && config.error.message !== last?.error?.message) this.#rejected(config.error);
    for (const line of config.notices) if (!last?.notices.includes(line)) notice(`${path}: ${line}`);
  }

  /** Returns the status of servers.json for the app window. @param error the current configuration's error, reported or not */
  status(error: LoadedConfig['error']): ConfigStatus {
    const { path } = this.#options;
    return error ? { path, error: { ...error } } : { path };
  }

  #rejected(error: NonNullable<LoadedConfig['error']>): void {
    const { path, journal, notice } = this.#options;
    journal.append(null, 'config-rejected', { path, ...error });
    const place = error.line === undefined ? '' : `:${error.line}:${error.column ?? 1}`;
    notice(`${path}${place}: ${error.message}`);
  }
}
