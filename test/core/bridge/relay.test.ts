import { describe, expect, it } from 'vitest';
import { Relay, type RelayOptions } from '../../../electron/core/bridge/relay.ts';
import type {
  Delivery,
  Line,
  Link,
  LinkEvents,
  Message,
} from '../../../electron/core/gateway-client/wire.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';

/** No other wait of a relay has this length. */
const LOOK_MS = 21;
const SOON = { deadlineMs: 5000, describe: 'the answer' };

/** The other side of a link, which answers every request with its own name until it is told otherwise. */
class FakeLink implements Link {
  isGreeted = false;
  readonly sent: Message[] = [];
  isClosed = false;
  /** Number of messages that were not taken. */
  refused = 0;
  delivery: Delivery = 'taken';
  answers = true;
  readonly kind: 'panel' | 'own';
  readonly events: LinkEvents;

  constructor(kind: 'panel' | 'own', events: LinkEvents) {
    this.kind = kind;
    this.events = events;
  }

  async send({ message }: Line): Promise<Delivery> {
    const { delivery } = this;
    if (delivery === 'taken') this.sent.push(message);
    else this.refused += 1;
    const { id, method } = message;
    if (delivery !== 'taken' || !this.answers || id === undefined || !method) return delivery;
    this.says({ id, result: { protocolVersion: '2025-06-18', by: this.kind } });
    return 'taken';
  }

  says(message: Message): void {
    void this.events.onLine({ message, text: JSON.stringify(message) });
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function open(bounds: RelayOptions['bounds'] = {}) {
  const world = {
    isThere: true,
    panels: [] as FakeLink[],
    owns: [] as FakeLink[],
    told: [] as Message[],
    /** Number of waits for the next look for a panel. */
    looks: 0,
  };
  const relay = new Relay({
    clock: {
      now: () => systemClock.now(),
      setTimeout: (task, delayMs) => {
        if (delayMs === LOOK_MS) world.looks += 1;
        return systemClock.setTimeout(task, delayMs);
      },
    },
    bounds: { firstMs: 1, holdMs: 50, lookMs: LOOK_MS, ...bounds },
    say: () => undefined,
    toClient: async (text) => void world.told.push(JSON.parse(text) as Message),
    panelAnswers: () => Promise.resolve(world.isThere),
    toPanel: (events) => (world.panels.push(new FakeLink('panel', events)), world.panels.at(-1)!),
    startOwn: async (events) => (world.owns.push(new FakeLink('own', events)), world.owns.at(-1)!),
  });
  const say = (message: object) => relay.take(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const answer = async (id: number | string): Promise<Message> =>
    (await waitUntil(() => world.told.find((message) => message.id === id && !message.method), SOON))!;
  const greet = async () => {
    say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
    await answer(0);
    say({ method: 'notifications/initialized' });
  };
  return { world, relay, say, answer, greet };
}

const methodsOf = (link: FakeLink | undefined) => link?.sent.map(({ method }) => method);

describe('a relay', () => {
  it('holds no more than it may, and says of the rest that nothing was done', async () => {
    const { world, greet, say, answer } = open({ maxHeld: 2, holdMs: 200 });
    await greet();
    world.isThere = false;
    world.panels[0]!.delivery = 'unsent';
    for (const id of [1, 2, 3]) say({ id, method: 'tools/call' });
    expect((await answer(3)).error).toMatchObject({ data: { code: 'UNREACHABLE' } });
    world.panels[0]!.delivery = 'taken';
    world.isThere = true;
    await Promise.all([answer(1), answer(2)]);
    expect(world.told.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3]);
  });

  it('never sends a held call that its client has taken back', async () => {
    const { world, greet, say, answer } = open({ holdMs: 2000 });
    await greet();
    world.isThere = false;
    world.panels[0]!.delivery = 'unsent';
    say({ id: 1, method: 'tools/call' });
    say({ id: 2, method: 'tools/call' });
    await waitUntil(() => world.panels[0]!.refused >= 2, SOON);
    say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    world.panels[0]!.delivery = 'taken';
    world.isThere = true;
    await answer(2);
    expect(methodsOf(world.panels[0])).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  });

  it('moves to the panel only when no call and no question is open', async () => {
    const { world, greet, say } = open();
    world.isThere = false;
    await greet();
    const own = world.owns[0]!;
    own.answers = false;
    say({ id: 1, method: 'tools/call' });
    own.says({ id: 'q', method: 'ping' });
    world.isThere = true;
    const lookTwice = (since = world.looks) => waitUntil(() => world.looks >= since + 2, SOON);
    await lookTwice();
    own.says({ id: 1, result: {} });
    await lookTwice();
    expect(own.isClosed).toBe(false);
    say({ id: 'q', result: {} });
    await waitUntil(() => own.isClosed, SOON);
    expect(methodsOf(world.panels.at(-1))).toEqual(['initialize', 'notifications/initialized']);
  });

  it('repeats a list whose answer was lost, and no call', async () => {
    const { world, greet, say, answer } = open();
    await greet();
    const [panel] = world.panels;
    panel!.delivery = 'lost';
    say({ id: 1, method: 'tools/call' });
    expect((await answer(1)).error).toMatchObject({ data: { code: 'OUTCOME_UNKNOWN' } });
    say({ id: 2, method: 'tools/list' });
    panel!.delivery = 'taken';
    expect((await answer(2)).result).toMatchObject({ by: 'panel' });
  });

  it('takes back the questions of a server that has ended', async () => {
    const { world, greet } = open();
    world.isThere = false;
    await greet();
    world.owns[0]!.says({ id: 'q', method: 'sampling/createMessage' });
    world.owns[0]!.events.onEnd('The server has ended.');
    expect(world.told.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 'q' },
    });
  });

  it('answers what is no message, and each message of a batch', async () => {
    const { world, relay, answer } = open();
    relay.take('{');
    expect(world.told[0]).toMatchObject({ id: null, error: { code: -32700 } });
    relay.take(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"server/discover"}]',
    );
    expect((await answer(2)).error).toMatchObject({ code: -32601 });
    expect((await answer(1)).result).toBeDefined();
  });
});
