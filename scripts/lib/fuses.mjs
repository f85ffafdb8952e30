import { ScriptError } from './entry.mjs';

/**
 * Bytes that mean off and on in the fuse wire, the bytes in the Electron binary that store its fuses (build-time switches). Any
 * other value means that this version of Electron has removed the fuse.
 */
const [OFF, ON] = ['0', '1'].map((state) => state.charCodeAt(0));

/**
 * Returns the fuses of an Electron binary, by their names in electron-builder, and whether each is on. Fuses that the binary
 * lacks are omitted; older versions of Electron lack the newest fuses. `@electron/fuses` is imported inside the function,
 * because the packaging may have to install it first.
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
