import { setTimeout as sleep } from 'node:timers/promises';
import { misdeeds, type Misdeed } from './deeds.ts';
import { breakConfig, killPanel, pausePanel } from './panel-deeds.ts';
import type { Deed } from './record.ts';
import type { World } from './world.ts';

const PAUSE_MS = [500, 3500] as const;
const AT_ONCE = 4;
const BREAK_CONFIG_CHANCE = 0.03;
const PAUSE_PANEL_CHANCE = 0.04;
/** Parts of the time at which the panel is killed; then it lives on, so that its memory can be looked at for the second half. */
const KILLS_AT = [0.15, 0.3, 0.45];

/** Does harm at random until `endAt`, which may come sooner; resolves when everything is as before. */
export async function torment(world: World, endAt: () => number): Promise<void> {
  const { now, random } = world.parts;
  const startedAt = now();
  const kills = KILLS_AT.map((part) => startedAt + part * (endAt() - startedAt));
  const running = new Set<Promise<void>>();
  const follow = (deed: Promise<void>) => {
    const followed = deed
      .catch((error: unknown) => world.parts.problem(`the soak itself failed: ${String(error)}`))
      .finally(() => running.delete(followed));
    running.add(followed);
  };
  while (now() < endAt()) {
    await sleep(random.between(...PAUSE_MS));
    if (now() >= kills[0]!) {
      kills.shift();
      await killPanel(world);
    } else if (world.openDeeds.length === 0 && random.next() < PAUSE_PANEL_CHANCE) await pausePanel(world);
    else if (!world.parts.config.isBroken && random.next() < BREAK_CONFIG_CHANCE) follow(breakConfig(world));
    else if (running.size < AT_ONCE) {
      const chosen = choose(world);
      if (chosen) follow(commit(world, ...chosen));
    }
  }
  await Promise.all(running);
}

type Chosen = readonly [Misdeed, World['parts']['servers'][number]];

function choose(world: World): Chosen | undefined {
  const { random, servers, config } = world.parts;
  const misdeed = random.weighted(misdeeds)!;
  const isEdit = misdeed.weakness === 'edit' || misdeed.weakness === undefined;
  if (isEdit && config.isBroken) return undefined;
  const server = random.pick(
    servers.filter(
      (candidate) =>
        (misdeed.weakness === undefined || candidate.weaknesses.includes(misdeed.weakness)) &&
        world.isQuiet(candidate),
    ),
  );
  return server && [misdeed, server];
}

async function commit(world: World, misdeed: Misdeed, server: Chosen[1]): Promise<void> {
  const { kind, expects, breaksCalls } = misdeed;
  const at = world.parts.now();
  const justifies = server.isStubborn ? [...misdeed.justifies, 'force-killed' as const] : misdeed.justifies;
  const deed: Deed = { kind, server: server.name, at, ...(expects && { expects }), justifies, breaksCalls };
  world.deeds.push(deed);
  const failure = await misdeed.run(world, server, at);
  if (failure !== undefined && deed.isInterrupted !== true) deed.failure = failure;
  deed.until = world.parts.now();
}
