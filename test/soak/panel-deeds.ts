import { setTimeout as sleep } from 'node:timers/promises';
import { STALL_THRESHOLD_MS } from './fleet.ts';
import type { Deed } from './record.ts';
import type { World } from './world.ts';

const GONE_MS = 15_000;
const BACK_MS = 120_000;
const AFTER_PAUSE_MS = 6000;
const TOLD_MS = 5000;

/** Kills the panel as a crash does, whatever is under way, looks whether its servers end, and starts it again. */
export async function killPanel(world: World): Promise<void> {
  for (const open of world.openDeeds) open.isInterrupted = true;
  const deed = begin(world, { kind: 'kill -9 of the panel', breaksCalls: true });
  const { panel, servers, now, random, serverPids, problem, onPanelStarted } = world.parts;
  await panel.kill();
  if (!(await world.until(() => serverPids().length === 0, GONE_MS)))
    problem(
      `${serverPids().length} processes of servers were alive ${GONE_MS / 1000} s after the kill -9 of the panel`,
    );
  await sleep(random.between(0, 1500));
  const startedAt = now();
  await panel.start();
  onPanelStarted();
  const areBack = () =>
    servers.every(({ name }) => {
      const line = world.stateOf(name);
      return line?.state === 'running' && line.at >= startedAt;
    });
  if (!(await world.until(areBack, BACK_MS)))
    deed.failure = `not all servers were running ${BACK_MS / 1000} s after its restart`;
  deed.until = now();
}

/** Stops the whole panel for longer than a silent server is given, as sleep of the machine or a swapping one does. */
export async function pausePanel(world: World): Promise<void> {
  const { panel, now, random } = world.parts;
  const deed = begin(world, { kind: 'pause of the panel', breaksCalls: false });
  panel.signal('SIGSTOP');
  await sleep(random.between(2000, STALL_THRESHOLD_MS * 1.5));
  panel.signal('SIGCONT');
  await sleep(AFTER_PAUSE_MS);
  deed.until = now();
}

/** servers.json is broken for a moment, as in the middle of an edit. */
export async function breakConfig(world: World): Promise<void> {
  const { config, now } = world.parts;
  const deed: Deed = {
    kind: 'broken configuration',
    server: '',
    at: now(),
    expects: { kind: 'config-rejected', withinMs: TOLD_MS },
    justifies: ['config-rejected'],
    breaksCalls: false,
  };
  world.deeds.push(deed);
  config.break();
  await sleep(TOLD_MS);
  config.mend();
  await sleep(TOLD_MS);
  deed.until = now();
}

function begin(world: World, { kind, breaksCalls }: Pick<Deed, 'kind' | 'breaksCalls'>): Deed {
  const deed: Deed = {
    kind,
    server: null,
    at: world.parts.now(),
    justifies: breaksCalls ? ['orphan-reaped'] : ['suspect', 'recovered', 'panel-blocked'],
    breaksCalls,
  };
  world.deeds.push(deed);
  return deed;
}
