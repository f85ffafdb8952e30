// What the package for macOS says of itself in its Info.plist, beside what electron-builder writes there.

/** One sentence for the system's question, because it is the panel that macOS names there and a server that wants it. */
const wanted = (/** @type {string} */ what) => `A server that MCP Control Panel runs for you wants ${what}.`;

const CALENDARS = wanted('to read and change your calendars');
const REMINDERS = wanted('to read and change your reminders');
const BLUETOOTH = wanted('to use Bluetooth');

/** Asked for by servers on macOS: other apps by AppleScript, EventKit, contacts, and folders that the system guards. */
const GRANTED_ON_REQUEST = {
  NSAppleEventsUsageDescription: wanted('to control another app'),
  // Since macOS 14 the longer key counts, before it the shorter one.
  NSCalendarsFullAccessUsageDescription: CALENDARS,
  NSCalendarsUsageDescription: CALENDARS,
  NSRemindersFullAccessUsageDescription: REMINDERS,
  NSRemindersUsageDescription: REMINDERS,
  NSContactsUsageDescription: wanted('to read and change your contacts'),
  NSDesktopFolderUsageDescription: wanted('the files on your Desktop'),
  NSDocumentsFolderUsageDescription: wanted('the files in your Documents folder'),
  NSDownloadsFolderUsageDescription: wanted('the files in your Downloads folder'),
  NSNetworkVolumesUsageDescription: wanted('files on a network volume'),
  NSRemovableVolumesUsageDescription: wanted('files on a removable volume'),
  NSLocalNetworkUsageDescription: wanted('to reach devices on your local network'),
  NSBluetoothAlwaysUsageDescription: BLUETOOTH,
  NSBluetoothPeripheralUsageDescription: BLUETOOTH,
};

/**
 * No entitlement stands behind these in a signed build, so the system refuses. The sentences are there because macOS ends
 * a program that asks where there is none, and because Electron's own would be shown in an unsigned build.
 */
const REFUSED = {
  NSMicrophoneUsageDescription: wanted('to use the microphone'),
  NSAudioCaptureUsageDescription: wanted('to record what your Mac plays'),
  NSCameraUsageDescription: wanted('to use the camera'),
  NSLocationUsageDescription: wanted('to know where you are'),
  NSPhotoLibraryUsageDescription: wanted('to see your photos'),
};

export const macInfo = {
  ...GRANTED_ON_REQUEST,
  ...REFUSED,
  // The system may end such a program without a word while its windows are hidden, and its servers would be left behind.
  NSSupportsAutomaticTermination: false,
  NSSupportsSuddenTermination: false,
  // A hidden panel goes on looking after its servers every second.
  LSAppNapIsDisabled: true,
};
