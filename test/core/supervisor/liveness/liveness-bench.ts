import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { Disposable } from '../../../../electron/core/clock.ts';
import { CallLedger } from '../../../../electron/core/mcp/call-ledger.ts';
import type { ProbeKind } from '../../../../electron/core/mcp/mcp-connection.ts';
import type { Evidence } from '../../../../electron/core/supervisor/liveness/gather-facts.ts';
import {
  LivenessMonitor,
  type ProbedConnection,
} from '../../../../electron/core/supervisor/liveness/liveness-monitor.ts';
import type { ProvenKinds } from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import type { Verdict } from '../../../../electron/core/supervisor/liveness/verdict.ts';
import type { StoppedServer } from '../../../../electron/core/telemetry/tree-facts.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';

export const T = 30_000;
export const INTERVAL = 10_000;
export const ROUND_TRIP_MS = 5;
export const CHATTER_MS = 200;
const LOOK_MS = 1000;
const SETTINGS = panelSettingsSchema.parse({ calls: { timeoutMs: 300_000 } });

/** Process that is stopped. Those of one pid are the same stop: it has not run between two looks. */
export const stoppedProcess = (pid: number, contextSwitches = 0): StoppedServer => ({
  pid,
  startTime: `start-${pid}`,
  cpuTimeMs: 0,
  contextSwitches,
});

/** Server as liveness sees it: it answers what it is set to answer, a round trip later. */
class FakeServer implements ProbedConnection {
  readonly ledger = new CallLedger();
  readonly asked: ProbeKind[] = [];
  answers = new Set<ProbeKind>(['ping', 'tools/list']);
  isDeaf = false;
  /** Whether its loop is held: what it would answer waits until `unblock`. */
  isBlocked = false;
  /** Whether it does one thing after the other, questions and what is worked on by `workOn`, in the order in which they came. */
  isOrdered = false;
  /** Share of a core that its tree uses. */
  cpuShare = 0;
  /** Whether it runs, or waits for a processor or a disk, whenever somebody looks. */
  isAtWork = false;
  /** Process that is stopped by a signal, and would have to answer. */
  stopped: StoppedServer | undefined;
  /** Whether a debugger holds it. */
  isHeld = false;
  /** Whether its work is done where no look reaches. */
  reachesOut = false;
  debugLogsAsked = 0;
  lastActivityAtMs: number;
  lastAnswerAtMs: number;
  readonly #clock: FakeClock;
  readonly #waiting: (() => void)[] = [];
  readonly #inbox: { readonly ms: number; readonly end: () => void }[] = [];
  #isWorking = false;
  #calls = 0;

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.lastActivityAtMs = this.lastAnswerAtMs = clock.now();
  }

  probe(kind: ProbeKind): Promise<number> {
    this.asked.push(kind);
    const sentAtMs = this.#clock.now();
    return new Promise((resolve) => {
      if (this.isOrdered) {
        this.#receive(ROUND_TRIP_MS, () => {
          this.#answered();
          resolve(this.#clock.now() - sentAtMs);
        });
        return;
      }
      this.#clock.setTimeout(() => {
        if (this.isDeaf || !this.answers.has(kind)) return;
        const answer = () => {
          this.#answered();
          resolve(this.#clock.now() - sentAtMs);
        };
        if (this.isBlocked) this.#waiting.push(answer);
        else answer();
      }, ROUND_TRIP_MS);
    });
  }
  readonly logLevel = {
    want: (): (() => void) => {
      this.debugLogsAsked += 1;
      return () => undefined;
    },
  };
  speak(): void {
    this.lastActivityAtMs = this.#clock.now();
  }
  call(timeoutMs = SETTINGS.calls.timeoutMs): number {
    this.#calls += 1;
    const limits = { ...SETTINGS.calls, timeoutMs };
    const message = { jsonrpc: '2.0', id: this.#calls, method: 'tools/call' } as const;
    this.ledger.sent(message, this.#clock.now(), { limits, allowance: limits });
    return this.#calls;
  }
  /** Answers the call `ms` after it has come to it; never for Infinity, and then nothing that came later either. */
  workOn(id: number, ms: number): void {
    this.#receive(ms, () => this.answer(id));
  }
  cancel(requestId: number): void {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } } as const;
    this.ledger.sent(message, this.#clock.now(), 'probe');
  }
  answer(id: number): void {
    this.ledger.arrived({ jsonrpc: '2.0', id, result: {} }, this.#clock.now());
    this.#answered('call');
    this.unblock();
  }
  unblock(): void {
    this.isBlocked = false;
    for (const late of this.#waiting.splice(0)) late();
  }
  #receive(ms: number, end: () => void): void {
    this.#inbox.push({ ms, end });
    if (!this.#isWorking) this.#workOff();
  }
  #workOff(): void {
    const next = this.#inbox.shift();
    this.#isWorking = next !== undefined;
    if (next === undefined || next.ms === Infinity) return;
    this.#clock.setTimeout(() => {
      next.end();
      this.#workOff();
    }, next.ms);
  }
  #answered(what: 'call' | 'probe' = 'probe'): void {
    this.speak();
    this.lastAnswerAtMs = this.#clock.now();
    this.ledger.forgetOverdue(this.#clock.now(), what);
  }
}

export interface BenchOptions {
  /** One that several share. */
  readonly clock?: FakeClock;
  readonly health?: Record<string, unknown>;
  readonly learnt?: ProvenKinds;
  readonly canLog?: boolean;
  /** Whether its process tree is looked at every second. */
  readonly seesTree?: boolean;
  /** Whether a call waits for the question before it. */
  readonly holdsCalls?: boolean;
}

export function livenessBench({
  clock = createFakeClock(),
  health = {},
  learnt = new Set(),
  canLog = false,
  seesTree = false,
  holdsCalls = true,
}: BenchOptions = {}) {
  const server = new FakeServer(clock);
  const verdicts: Verdict[] = [];
  const evidences: Evidence[] = [];
  const settings = panelSettingsSchema.parse({ ...SETTINGS, health });
  const monitor = new LivenessMonitor({
    clock,
    random: () => 0.5,
    connection: server,
    learnt,
    canLog,
    seesTree,
    holdsCalls,
    settings: () => settings,
    onVerdict: (verdict, evidence) => {
      verdicts.push(verdict);
      evidences.push(evidence);
    },
  });
  const look = () => {
    const { stopped: stoppedServer, isHeld, cpuShare, isAtWork, reachesOut } = server;
    const work = { usedCpuMs: cpuShare * LOOK_MS, writtenBytes: 0, isAtWork, reachesOut };
    monitor.observed({ ...(stoppedServer && { stoppedServer }), ...(isHeld && { isHeld }), ...work });
  };
  let looking: Disposable | undefined;
  const lookOn = () => {
    look();
    looking = clock.setTimeout(lookOn, LOOK_MS);
  };
  if (seesTree) looking = clock.setTimeout(lookOn, LOOK_MS);
  const dispose = () => {
    looking?.dispose();
    monitor.dispose();
  };
  /** Passes time in steps of ours, as a loop that is never late sees it. */
  const pass = (ms: number) => clock.advance(ms);
  const kinds = () => verdicts.map((verdict) => verdict.kind);
  /** Makes a call, as a caller does. */
  const call = async (timeoutMs?: number) => {
    let id: number | undefined;
    const held = monitor.beforeCall();
    if (held) void held.then(() => (id = server.call(timeoutMs)));
    else id = server.call(timeoutMs);
    await pass(0);
    while (id === undefined) await pass(ROUND_TRIP_MS);
    return id;
  };
  /** Passes time while the server sends messages all the time, as a heartbeat does. */
  const chatter = async (ms: number, everyMs = CHATTER_MS) => {
    for (let passedMs = 0; passedMs < ms; passedMs += everyMs) {
      server.speak();
      await pass(everyMs);
    }
  };
  return {
    clock,
    server,
    monitor,
    verdicts,
    evidences,
    kinds,
    pass,
    look,
    chatter,
    call,
    dispose,
  };
}
