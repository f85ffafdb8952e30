import { NativeSelect } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { formatAgo, formatDuration } from '../format/durations.ts';
import { formatMemory } from '../format/figures.ts';
import { canSleep, serversWords } from './server-commands.ts';
import { addUp } from '../../shared/server-totals.ts';
import { useServices, useTask } from '../services.ts';
import { SLEEP_OFFER_DAYS, unusedDays, type Called } from '../store/called.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { HOUR_MS, MINUTE_MS } from '../../shared/units.ts';
const AFTER_MS = [10 * MINUTE_MS, HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS] as const;

interface SleepDialogProps {
  /** Servers that are ticked at first; if absent, the servers that have not been called for a week. */
  readonly servers?: readonly string[];
}

/** Dialog to choose servers and after how much time without use they sleep. Confirming puts them to sleep immediately. */
export function SleepDialog({ servers: wanted }: SleepDialogProps) {
  const { manage, past, clock } = useServices();
  const now = useStore(clock, (state) => state.now);
  const called = useStore(past.called);
  const { offered, keeps, isTicked, tick } = useTicks(wanted);
  const [afterMs, setAfterMs] = useState<number>(HOUR_MS);
  const chosen = offered.filter(({ name }) => isTicked(name));
  const { status, sleep } = useSleep(chosen, afterMs);
  const isNone = chosen.length === 0;
  return (
    <Dialog
      title="Let servers sleep"
      onClose={() => manage.close()}
      foot={<p role="status">{!isNone && `Frees ${formatMemory(addUp(chosen).memoryBytes)} now.`}</p>}
      main={{
        words: isNone ? 'Let sleep' : `Let ${serversWords(namesOf(chosen))} sleep`,
        isDisabled: isNone,
        isBusy: status?.phase === 'pending',
        run: sleep,
      }}
    >
      <p className="text-dim">
        A sleeping server has no process. Its tools stay listed, and the next call starts it. What it keeps in
        memory is lost.
      </p>
      <NativeSelect
        size="xs"
        label="Sleep when unused for"
        className="max-w-200 mx-0 my-12"
        value={String(afterMs)}
        onChange={({ currentTarget: { value } }) => setAfterMs(Number(value))}
        data={AFTER_MS.map((ms) => ({ value: String(ms), label: formatDuration(ms) }))}
      />
      <FailedNote status={status} server="" lead="Not saved" />
      {offered.length === 0 && <p className="text-dim">No local server runs.</p>}
      <ul className="grid gap-8">
        {offered.map(({ name, sample }) => (
          <li key={name}>
            <CheckField
              label={name}
              isChecked={isTicked(name)}
              onChange={(isChecked) => tick(name, isChecked)}
              hint={[formatMemory(sample?.memoryBytes), usedWords(called.get(name), now), keeps.get(name)]
                .filter(Boolean)
                .join(' · ')}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const namesOf = (servers: readonly ServerView[]) => servers.map(({ name }) => name);

/** Returns the servers of the list and which of them are ticked. The list stays as it was when the dialog opened. */
function useTicks(wanted: readonly string[] | undefined) {
  const { clock, panel, past } = useServices();
  const [{ ticked, servers: offered }] = useState(() =>
    offeredServers(
      [...panel.getState().servers.values()],
      past.called.getState(),
      clock.getState().now,
      wanted,
    ),
  );
  const keeps = useKeeps(offered);
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isTicked = (name: string) => ticks.get(name) ?? (ticked.has(name) && keeps.get(name) === undefined);
  const tick = (name: string, isChecked: boolean) => setTicks(new Map(ticks).set(name, isChecked));
  return { offered, keeps, isTicked, tick };
}

function useSleep(chosen: readonly ServerView[], afterMs: number) {
  const { api, manage, view } = useServices();
  const { status, run } = useTask();
  const names = namesOf(chosen);
  const sleep = () =>
    void run(async () => {
      await api.setSleepAfter(names, afterMs);
      // A server that is in use at this moment is refused here; it sleeps later, once it has been unused for the chosen time.
      await Promise.allSettled(names.map((name) => api.sleepServer(name)));
      view.setState({ offersSleep: false });
      manage.close();
      const words = `${serversWords(names)} ${names.length === 1 ? 'sleeps' : 'sleep'} when unused for ${formatDuration(afterMs)}.`;
      manage.setNote({ kind: 'done', words });
    });
  return { status, sleep };
}

/** Running local servers in the order listed: those ticked at first, then the others, each group by memory, highest first. */
function offeredServers(
  all: readonly ServerView[],
  called: ReadonlyMap<string, Called>,
  now: number,
  wanted: readonly string[] | undefined,
) {
  const running = all.filter(canSleep);
  const isMeant = ({ name }: ServerView) =>
    wanted?.includes(name) ?? unusedDays(called.get(name), now) >= SLEEP_OFFER_DAYS;
  const ticked = new Set(running.filter(isMeant).map(({ name }) => name));
  const rank = (server: ServerView) =>
    (ticked.has(server.name) ? 1e15 : 0) + (server.sample?.memoryBytes ?? 0);
  return { ticked, servers: running.toSorted((one, other) => rank(other) - rank(one)) };
}

const usedWords = (called: Called | undefined, now: number): string => {
  if (called?.lastAt !== undefined) return `last used ${formatAgo(Math.max(0, now - called.lastAt))}`;
  return called?.unusedSince === undefined ? '' : 'never used';
};

/** Texts about what servers are known to keep in their process, and lose when they sleep, by server name. */
function useKeeps(servers: readonly ServerView[]): ReadonlyMap<string, string> {
  const { api } = useServices();
  const [keeps, setKeeps] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useMemo(() => servers.map(({ name }) => name), [servers]);
  useEffect(() => {
    const read = async (name: string) => {
      const { mode, reason, words } = (await api.getSessions(name)).sharing;
      if (mode === 'exclusive' && reason === 'catalogue')
        setKeeps((known) => new Map(known).set(name, words));
    };
    for (const name of names) void read(name).catch(() => undefined);
  }, [api, names]);
  return keeps;
}
