import type { Diagnostics, DiagnosticsQuery } from '../../../../shared/diagnostics.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { diagnosticsCalls } from '../../../../shared/ipc/topics/diagnostics.ts';
import {
  collectDiagnostics,
  redactLines,
  type DiagnosticsSources,
} from '../../diagnostics/collect-diagnostics.ts';

/** Diagnostics that the user gives to a supporter. */
export class DiagnosticsTopic implements CallAnswers<typeof diagnosticsCalls> {
  readonly #sources: DiagnosticsSources;

  constructor(sources: DiagnosticsSources) {
    this.#sources = sources;
  }

  /** Collects the diagnostics. @throws PanelError `SERVER_UNKNOWN` */
  collect(query: DiagnosticsQuery): Promise<Diagnostics> {
    return collectDiagnostics(this.#sources, query);
  }

  async redact(report: string): Promise<string> {
    return (await redactLines(this.#sources, report.split('\n'))).join('\n');
  }
}
