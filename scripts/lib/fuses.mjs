import { ScriptError } from './entry.mjs';

/** Bytes that mean off and on in Electron's fuse wire. Any other value means that Electron has removed that fuse. */
const [OFF, ON] = ['0', '1'].map((state) => state.charCodeAt(0));

/**
 * Returns whether each fuse of this binary is on, by electron-builder's names. Older runtimes lack the newest fuses. The
 * library is loaded here, because the packaging may have to install it first.
 * @param {string} path the executable, or on macOS the app
 * @returns {Promise<Map<string, boolean>>}
 */
export async function readFuses(path) {
  const { FuseV1Options, FuseVersion, getCurrentFuseWire } = await import('@electron/fuses');
  const wire = await getCurrentFuseWire(path).catch((/** @type {Error} */ error) => {
    throw new ScriptError(`The fuses of "${path}" cannot be read: ${error.message}.`);
  });
  if (wire.version !== FuseVersion.V1)
    throw new ScriptError(`"${path}" has fuse wire version ${wire.version}; ${FuseVersion.V1} is known.`);
  const states = Object.entries(wire).map(
    ([index, state]) => /** @type {const} */ ([builderName(FuseV1Options[Number(index)]), Number(state)]),
  );
  return new Map(
    states.flatMap(([name, state]) => {
      const isThere = name !== undefined && (state === ON || state === OFF);
      return isThere ? [/** @type {const} */ ([name, state === ON])] : [];
    }),
  );
}

/** Converts a fuse's name to electron-builder's form, which begins with a lower-case letter. @param {string | undefined} name */
function builderName(name) {
  return name && name.charAt(0).toLowerCase() + name.slice(1);
}
