import type { Diagnostics, DiagnosticsQuery } from '../../../../shared/diagnostics.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { diagnosticsCalls } from '../../../../shared/ipc/topics/diagnostics.ts';
import {
  collectDiagnostics,
  redactLines,
  type DiagnosticsSources,
} from '../../diagnostics/collect-diagnostics.ts';

/** What a person hands to somebody who is to help. */
export class DiagnosticsTopic implements CallAnswers<typeof diagnosticsCalls> {
  readonly #sources: DiagnosticsSources;

  constructor(sources: DiagnosticsSources) {
    this.#sources = sources;
  }

  /** @throws PanelError `SERVER_UNKNOWN` */
  collect(query: DiagnosticsQuery): Promise<Diagnostics> {
    return collectDiagnostics(this.#sources, query);
  }

  async redact(report: string): Promise<string> {
    return (await redactLines(this.#sources, report.split('\n'))).join('\n');
  }
}
