import { join } from 'node:path';
import {
  type EventDetails,
  type EventKind,
  type PanelEvent,
  toldEvent,
  type ToldEvent,
} from '../../../shared/events.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, WallClock } from '../clock.ts';
import { secretsOf } from './config-secrets.ts';
import { Emitter } from '../emitter.ts';
import { readEvents } from './read-events.ts';
import { keptEventLine, EventLog, openEventFile } from './event-log.ts';
import type { LineWriter } from './line-writer.ts';
import { LineTimes } from './line-times.ts';
import { OutputFile, serversFolder } from './output-file.ts';
import { openRedactor, type Redact } from './redact.ts';
import { ServerOutput } from './server-output.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';

interface JournalOptions {
  /** Folder `<home>/logs`; created on the first write. */
  readonly folder: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly launchId: string;
  /** Called with each problem, in one sentence for the user. */
  readonly onProblem: (message: string) => void;
}

const MAX_REMEMBERED = 1000;

/** Events and server output of this panel. Secrets are redacted before anything is stored or shown. The owner must dispose. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #log: EventLog;
  readonly #file: LineWriter;
  /** Assigns each log line of this app run its time, which also orders the lines of different logs. */
  readonly times: LineTimes;
  /** Emits each line of a server or replica, redacted. */
  readonly lineWritten = new Emitter<{ readonly output: string; readonly text: string }>();
  readonly #outputs = new Map<string, ServerOutput>();
  readonly #files: OutputFile[] = [];
  #configured: readonly string[] = [];
  readonly #declared = new Set<string>();
  #secrets: readonly string[] = [];
  readonly #redacted = new Map<string, string>();
  #redactor = openRedactor([]);

  private constructor(options: JournalOptions, earlier: readonly PanelEvent[]) {
    const { folder, clock, wallClock, launchId, onProblem } = options;
    this.#options = options;
    this.times = new LineTimes(wallClock);
    this.#log = new EventLog({ wallClock, launchId, earlier });
    this.#file = openEventFile(eventsPath(folder), clock, onProblem);
    this.#log.appended.subscribe((event) => this.#file.add(keptEventLine(event)));
  }

  /** Opens the journal with the events of earlier app runs. Never rejects. */
  static async open(options: JournalOptions): Promise<Journal> {
    const path = eventsPath(options.folder);
    const { events, passedOver } = await readEvents(path);
    if (passedOver > 0)
      options.onProblem(`${passedOver} lines of ${path} are not events of this panel and were skipped.`);
    return new Journal(options, events);
  }

  /** Events, oldest first. */
  get events(): readonly PanelEvent[] {
    return this.#log.events;
  }

  /** Secrets of the configuration, and values declared as secret. The list is replaced when they change. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** Outputs by the name of the server, or of its replica (`name#2`). */
  get outputs(): ReadonlyMap<string, ServerOutput> {
    return this.#outputs;
  }

  /** Calls the listener with each new event. Returns the unsubscribe function. */
  onEvent(listener: (event: PanelEvent) => void): () => void {
    return this.#log.appended.subscribe(listener);
  }

  /** Sets the server configurations in force. Values in them that look like secrets are redacted from now on. */
  setConfigs(configs: readonly ServerConfig[]): void {
    // Server names that the panel displays are not redacted, even if one of them is also used as a password.
    const names = new Set(configs.map(({ name }) => name));
    this.#configured = configs.flatMap(secretsOf).filter((secret) => !names.has(secret));
    this.#lookFor();
  }

  /**
   * Adds values that are known to be secret: resolved references, and tokens of sign-ins. Earlier values are still redacted
   * until the panel ends, because a server may still use them.
   */
  setDeclared(values: readonly string[]): void {
    const known = this.#declared.size;
    for (const value of values) this.#declared.add(value);
    if (this.#declared.size > known) this.#lookFor();
  }

  #lookFor(): void {
    this.#secrets = [...new Set([...this.#configured, ...this.#declared])];
    this.#redactor = openRedactor(this.#secrets);
    this.#redacted.clear();
  }

  /** Returns the text with every secret replaced. Results are cached, because the same texts are shown once a second. */
  redactText(text: string): string {
    const known = this.#redacted.get(text);
    if (known !== undefined) return known;
    if (this.#redacted.size >= MAX_REMEMBERED) this.#redacted.clear();
    const redacted = this.#redactor.redact(text);
    this.#redacted.set(text, redacted);
    return redacted;
  }

  /** Redacts a text as `redactText` does, without the cache, for texts that are not shown repeatedly. */
  redactOnce(text: string): string {
    return this.#redactor.redact(text);
  }

  append<K extends EventKind>(server: string | null, kind: K, detail: EventDetails[K]): void {
    this.#log.append(server, toKeptEvent(kind, detail, this.#redactor.redact));
  }

  /** Writes queued events to disk before it returns. Used when the process may be killed at any moment. */
  flushSync(): void {
    this.#file.flushSync();
  }

  openOutput(server: string): ServerOutput {
    const output = this.#open(serversFolder(this.#options.folder), server, (text) =>
      this.lineWritten.emit({ output: server, text }),
    );
    this.#outputs.set(server, output);
    return output;
  }

  /** Output of the panel itself, in `panel.log`. */
  openPanelOutput(): ServerOutput {
    return this.#open(this.#options.folder, 'panel');
  }

  /** Writes queued lines to disk, within a time limit of two seconds. */
  async dispose(): Promise<void> {
    for (const output of this.#outputs.values()) output.finish();
    await Promise.all([this.#file.dispose(), ...this.#files.map((file) => file.dispose())]);
  }

  #open(folder: string, name: string, onLine?: (text: string) => void): ServerOutput {
    const { clock, wallClock, onProblem } = this.#options;
    const { times } = this;
    const file = new OutputFile({ folder, server: name, clock, times, onProblem });
    this.#files.push(file);
    return new ServerOutput({
      wallClock,
      redact: (line) => this.#redactor.redact(line),
      secretsIn: (text) => this.#redactor.spansIn(text),
      file,
      ...(onLine && { onLine }),
      times,
    });
  }
}

function eventsPath(folder: string): string {
  return join(folder, 'events.jsonl');
}

/** Limits of an event's detail, low because a snapshot sends 500 events to the window and each is a line in a file. */
const BOUNDS: DataBounds = {
  maxDepth: 12,
  maxEntries: 500,
  maxValues: 2000,
  maxTextLength: 16 * 1024,
  maxTotalLength: 64 * 1024,
  cutTexts: 'middle',
};

/**
 * Returns the event as it is stored and shown: its detail is at most 64 Ki characters of plain data without secrets. Omissions
 * are counted in its field `leftOut`: `{ characters, values, isAtLeast }`.
 */
export function toKeptEvent<K extends EventKind>(
  kind: K,
  detail: EventDetails[K],
  redact: Redact,
): ToldEvent {
  const { value, loss } = boundData(detail, { ...BOUNDS, redact });
  // The detail is redacted once more as a whole, because some secrets are recognized only by the name of their field.
  return toldEvent(kind, redact(loss === undefined ? value : { ...value, leftOut: loss }));
}
