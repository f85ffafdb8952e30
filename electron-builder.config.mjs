// How the app is packaged. `npm run package` hands it to electron-builder with what depends on the machine.
import { fileURLToPath } from 'node:url';
import { macInfo } from './build/mac-info.mjs';

const APP_ID = 'dev.mcp-control-panel.app';
/** What software centres show of the app. AppStream wants no hyphen in the name. */
const METAINFO = 'dev.mcp_control_panel.app.metainfo.xml';
/** The path is absolute because fpm runs in another folder. */
const metainfo = fileURLToPath(new URL(`build/linux/${METAINFO}`, import.meta.url));
const withMetainfo = { fpm: [`${metainfo}=/usr/share/metainfo/${METAINFO}`] };

/**
 * The native part of SQLite for one system, beside the archive because no library can be loaded from inside
 * (`electron/core/store/native-part.ts` finds it there). Electron is made for glibc alone; the name says so of all systems.
 * @param {string} platform
 */
const sqliteFor = (platform) => ({
  from: `node_modules/@photostructure/sqlite/prebuilds/${platform}-\${arch}/@photostructure+sqlite.glibc.node`,
  to: `sqlite/${platform}_\${arch}/sqlite.node`,
});

export const packaging = {
  appId: APP_ID,
  productName: 'MCP Control Panel',
  copyright: 'Copyright © MCP Control Panel contributors',

  directories: { output: 'dist', buildResources: 'build' },

  // Every library is bundled into out/, so no node_modules is packed.
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'package.json'],
  asar: true,
  npmRebuild: false,

  // What Electron's binary lets happen. `npm run package` leaves out what an older runtime lacks and says so.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },

  artifactName: '${name}-${version}-${os}-${arch}.${ext}',
  // Where updates come from: null switches them off (docs/decisions/0009).
  publish: null,

  mac: {
    category: 'public.app-category.developer-tools',
    // Of Electron 44 and later. Electron's own Info.plist names an older system, on which the app would not open.
    minimumSystemVersion: '13.0',
    extendInfo: macInfo,
    hardenedRuntime: true,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.inherit.plist',
    extraResources: [sqliteFor('darwin')],
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
  },

  win: {
    extraResources: [sqliteFor('win32')],
    target: [
      // One installer for both: an update asks for no architecture.
      { target: 'nsis', arch: ['x64', 'arm64'] },
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
  },

  nsis: {
    oneClick: false,
    perMachine: false,
    // For one person, without a question of the system for an administrator.
    allowElevation: false,
    packElevateHelper: false,
    allowToChangeInstallationDirectory: true,
  },

  linux: {
    executableName: 'mcp-control-panel',
    extraResources: [sqliteFor('linux')],
    // deb and rpm also need a homepage (package.json).
    // The desktop finds the entry of a running window by desktopName on Wayland (package.json), and by this on X11.
    syncDesktopName: true,
    desktop: {
      entry: {
        StartupWMClass: 'MCP Control Panel',
        Keywords: 'MCP;Model Context Protocol;servers;',
      },
    },
    category: 'Development',
    maintainer: 'MCP Control Panel contributors',
    synopsis: 'Supervises Model Context Protocol servers',
    target: ['AppImage', 'deb', 'rpm', 'tar.gz'],
  },
  deb: withMetainfo,
  rpm: withMetainfo,
};
