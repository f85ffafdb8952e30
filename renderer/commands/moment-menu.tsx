import { formatMoment } from '../format/moments.ts';
import { useServices, type Services } from '../services.ts';
import type { Moment } from '../store/manage-store.ts';
import { hrefOf, serverHref, type Route } from '../store/route-store.ts';
import { momentLink } from '../store/span-address.ts';
import { showMoment } from '../store/span-choice.ts';
import { copyText } from '../ui/copy-button.tsx';
import { Menu, type MenuBox } from '../ui/menu.tsx';
import { MenuButton } from './more-button.tsx';

interface MomentMenuProps {
  readonly moment: Moment;
  readonly box: MenuBox;
  readonly onClose: () => void;
}

/** Menu for a moment: links to other views of the same moment, and what can be copied. */
export function MomentMenu({ moment, box, onClose }: MomentMenuProps) {
  const services = useServices();
  const { at, server, row } = moment;
  const to = (label: string, href: string) => ({
    label: `Here in ${label}`,
    run: () => go(services, at, href),
  });
  const items = [
    to('Usage', '#/usage'),
    to('Activity', '#/activity'),
    to('Logs', logsOf({ view: 'logs', query: server === undefined ? {} : { servers: [server] } }, at)),
    ...(server === undefined ? [] : [to('Charts', serverHref(server))]),
    { label: 'Copy time', run: () => void copyText(formatMoment(at)) },
    { label: 'Copy address', run: () => void copyText(addressOf(services, moment)) },
    ...(row === undefined ? [] : [{ label: 'Copy row', run: () => void copyText(row) }]),
  ];
  return <Menu name={`At ${formatMoment(at)}`} {...{ box, items, onClose }} />;
}

/** Address of the log lines at a moment. */
const logsOf = (route: Extract<Route, { readonly view: 'logs' }>, at: number): string =>
  hrefOf({ ...route, query: { ...route.query, at } });

/** Opens a view at a moment, and pins the moment. */
function go({ clock, view }: Services, at: number, href: string): void {
  view.setState(({ span }) => ({ span: showMoment(span, at, clock.getState().now), pinnedAt: at }));
  window.location.hash = href;
}

/** Address of the moment in the current view, or on the server's page if the view is the list of servers, which shows no time. */
function addressOf({ clock, route, view }: Services, { at, server }: Moment): string {
  const isList = route.getState().route.view === 'servers';
  const hash = isList && server !== undefined ? serverHref(server) : window.location.hash;
  return momentLink(hash, view.getState().span, at, clock.getState().now);
}

interface MomentButtonProps extends Pick<Moment, 'at' | 'server'> {
  readonly label: string;
}

/** Button that opens the menu for a moment. */
export function MomentButton({ at, server, label }: MomentButtonProps) {
  const of = { at, ...(server !== undefined && { server }) };
  return <MenuButton of={of} label={label} name={`${label}: ${formatMoment(at)}`} />;
}
