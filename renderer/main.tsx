import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
// Only styles of components in use are imported, because the complete stylesheet is ten times as long and is read before the
// first paint. They are in a layer, so that our own rules win regardless of the order of chunks.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/styles.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connect, createServices } from './create-services.ts';
import { takeLink } from './import/use-dropped-files.ts';
import { readableApi } from './readable-api.ts';
import { watchAbsence } from './store/absence.ts';
import { startTicking } from './store/clock-store.ts';
import { keepOffers, readOffers, keepListChoice, readListChoice } from './store/kept-view.ts';
import { parseRoute } from './store/route-store.ts';
import { keepServerColours, readServerColours } from './store/server-colours.ts';
import { keepTime } from './store/span-address.ts';
import { ServicesContext } from './services.ts';
import { cssVariables, theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Libraries that Mantine uses add style elements to the page. They take the nonce that the content security policy requires
// from here.
setNonce(nonce);

const api = readableApi(window.controlPanel);
const services = createServices(api, window.location.hash);
const colourSchemes = localStorageColorSchemeManager({ key: 'mcp-control-panel.colour-scheme' });

services.view.setState({
  ...readListChoice(localStorage),
  ...readOffers(localStorage),
  ...readServerColours(localStorage),
});
keepListChoice(services.view, localStorage);
keepOffers(services.view, localStorage);
keepServerColours(services.view, localStorage);

startTicking(services.clock, {
  now: Date.now,
  everySecond: (tick) => {
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  },
  isVisible: () => !document.hidden,
  onVisibilityChange: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
});

// A hidden window receives no updates. When it is shown again, it fetches the samples that it missed.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) services.history.resume(services.panel.getState().names);
});
watchAbsence(services.view, {
  now: Date.now,
  isPresent: () => !document.hidden && document.hasFocus(),
  onChange: (listener) => {
    const kinds = ['focus', 'blur', 'visibilitychange'];
    // The listeners are added to `window`, because `focus` and `blur` occur there, and `visibilitychange` bubbles up from the
    // document.
    for (const kind of kinds) window.addEventListener(kind, listener);
    return () => kinds.forEach((kind) => window.removeEventListener(kind, listener));
  },
});
window.addEventListener('hashchange', () => {
  takeLink(services, window.location.hash);
  services.route.setState({ route: parseRoute(window.location.hash) });
});
keepTime(services.view, {
  hash: () => window.location.hash,
  replace: (hash) => window.history.replaceState(null, '', hash),
  onChange: (listener) => window.addEventListener('hashchange', listener),
  now: Date.now,
  storage: localStorage,
});
takeLink(services, window.location.hash);
connect(services, api);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root".');
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={colourSchemes}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <ServicesContext value={services}>
      <App />
    </ServicesContext>
  </MantineProvider>,
);
