import type { ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { markOrder, shownMark, type ShownMark } from '../../shared/server-states.ts';
import { figureMeanings, formatCount } from '../format/figures.ts';
import type { CommandId } from '../commands/command-table.ts';
import { withShortcut } from '../commands/shortcuts.ts';
import { hrefOf, type Route } from '../store/route-store.ts';
import { useSettings } from '../settings/use-settings.ts';
import { usePanel, useRoute } from '../services.ts';
import { AppMark, Icon, type IconName } from '../ui/icon.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { NavigationServers } from './navigation-servers.tsx';
import { addUp, inRamBriefly } from '../../shared/server-totals.ts';
import { cpuUse, inRam, memoryUse, type ShareOfMachine } from '../format/totals.ts';

/**
 * Classes that hide the "current" mark of the entry Servers on the page of a server. In a wide window, the list of servers in
 * the navigation already marks that server.
 */
const unmarked =
  'min-[1001px]:aria-[current=location]:not-hover:bg-transparent min-[1001px]:aria-[current=location]:before:hidden';

/** Navigation: the views, the servers by name, and at the bottom the resource use of all servers. */
export function Navigation() {
  const count = usePanel((state) => state.names.length);
  const hasSettings = useSettings() !== undefined;
  const worst = usePanel(({ servers }) => worstKind([...servers.values()].map(shownMark)));
  return (
    <nav
      className="flex flex-col flex-none w-208 p-8 border-r border-line bg-sunken max-[1001px]:w-164"
      aria-label="Views"
    >
      <p className="flex items-center gap-8 flex-none h-36 px-6 overflow-hidden whitespace-nowrap font-semibold max-[1001px]:text-12">
        <AppMark />
        <span>MCP Control Panel</span>
      </p>
      <ul className="flex-none pt-8">
        <Item
          to={{ view: 'servers' }}
          holds="server"
          command="servers"
          label="Servers"
          sign={<StateShape kind={worst ?? 'stopped'} />}
        >
          {count > 0 && <span className="figures text-dim font-normal">{formatCount(count)}</span>}
        </Item>
        {views
          .filter(({ to }) => to.view !== 'settings' || hasSettings)
          .map(({ icon, ...view }) => (
            <Item key={view.command} {...view} sign={<Icon name={icon} size={14} />} />
          ))}
      </ul>
      <NavigationServers />
      {count > 0 && <NavigationFoot />}
    </nav>
  );
}

interface View {
  readonly to: Route;
  /** Another view in which this entry is also marked as current: Servers, for example, is marked on the page of a server. */
  readonly holds?: Route['view'];
  readonly command: CommandId;
  readonly label: string;
  /** Shorter text that is shown instead of `label`. `label` remains the accessible name and the tooltip. */
  readonly words?: string;
}

/** Views that the navigation lists below the entry Servers, in the order of their keyboard shortcuts. */
const views: readonly (View & { readonly icon: IconName })[] = [
  { to: { view: 'usage' }, holds: 'compare', command: 'usage', label: 'Usage', icon: 'usage' },
  { to: { view: 'activity' }, command: 'activity', label: 'Activity', icon: 'activity' },
  { to: { view: 'clients' }, command: 'clients', label: 'Clients', icon: 'clients' },
  {
    ...{ to: { view: 'logs', query: {} }, command: 'all-logs', icon: 'logs' },
    ...{ label: 'Logs of all servers', words: 'Logs' },
  },
  { to: { view: 'settings', page: 'general' }, command: 'settings', label: 'Settings', icon: 'settings' },
];

interface ItemProps extends View {
  readonly sign: ReactNode;
  /** Content after the label. */
  readonly children?: ReactNode;
}

function Item({ to, holds, command, label, words = label, sign, children }: ItemProps) {
  const { view } = useRoute();
  const isCurrent = view === to.view;
  const holdsCurrent = view === holds;
  return (
    <li>
      <a
        className={`nav-item flex items-center gap-8 h-32 px-8 ${unmarked}`}
        href={hrefOf(to)}
        aria-label={label}
        aria-current={isCurrent ? 'page' : holdsCurrent ? 'location' : undefined}
        data-tip={withShortcut(label, command)}
      >
        <span className="flex flex-none justify-center w-14">{sign}</span>
        <span className="flex-1">{words}</span>
        {children}
      </a>
    </li>
  );
}

const worstKind = (kinds: readonly ShownMark[]): ShownMark | undefined =>
  markOrder.find((kind) => kinds.includes(kind));

/** Resource use of all servers together. A separate component, so that only it is rendered when values change each second. */
export function NavigationFoot() {
  const totals = usePanel(useShallow(({ servers }) => addUp([...servers.values()])));
  const machine = usePanel((state) => state.machine);
  return (
    <div className="flex flex-col gap-8 flex-none mt-auto px-8 pt-12 pb-4">
      <UseBar
        name="Memory"
        look="memory"
        tip="All servers together: the sum of their figures. Memory that they share counts once for each, in RAM once"
        use={memoryUse(totals, machine)}
        beside={inRam(totals, inRamBriefly)}
      />
      <UseBar
        name="CPU"
        look="cpu"
        tip={`All servers together. ${figureMeanings.cpu}`}
        use={cpuUse(totals, machine)}
      />
    </div>
  );
}

const fills = { memory: 'bg-memory', cpu: 'bg-cpu' } as const;

interface UseBarProps {
  readonly name: string;
  readonly look: keyof typeof fills;
  readonly tip: string;
  readonly use: ShareOfMachine;
  /** The same amount measured in another way, such as the memory in RAM. It is shown below the bar. */
  readonly beside?: string | undefined;
}

/** Name of a metric, its value, and its share of the machine as a thin bar, which screen readers skip in favor of the text. */
function UseBar({ name, look, tip, use, beside }: UseBarProps) {
  return (
    <div data-tip={tip}>
      <p className="flex gap-[0.3em] whitespace-nowrap text-12/16">
        <span className="flex-1 text-dim font-medium">{name}</span>
        <span>{use.figure}</span>
        {use.whole !== '' && <span className="text-faint max-[1001px]:hidden">{use.whole}</span>}
      </p>
      {/* If the system removes all backgrounds, the bar has its own border and fill. */}
      <div
        className="h-4 mt-4 overflow-hidden rounded-[2px] bg-line forced-colors:border forced-colors:border-[CanvasText]"
        aria-hidden="true"
      >
        <div
          className={`h-full origin-left ${fills[look]} forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none`}
          style={{ transform: `scaleX(${use.share.toFixed(3)})` }}
        />
      </div>
      {beside !== undefined && (
        <p className="truncate text-12/16 text-dim" data-tip={beside} data-tip-if-cut>
          {beside}
        </p>
      )}
    </div>
  );
}
