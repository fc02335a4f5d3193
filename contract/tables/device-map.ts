import type { RetentionLimit } from './data-map.ts'
import { PERSONAL_STORAGE_KEYS } from './personal-storage.ts'

/**
 * Where data is stored on a device. `attendance/kept` is the object store `kept` of the IndexedDB database
 * `attendance`.
 */
export type DeviceStorageLocation = {
  /** kind of data; the privacy notice describes its content and purpose */
  kind: DeviceDataKind
  where: 'cookie' | 'local' | 'tab' | 'indexedDb' | 'cache'
  name: string | RegExp
}

/**
 * Kinds of data stored on devices, with the data subject. The retention ends at the earliest of the times listed in
 * `until`.
 */
export const DEVICE_DATA_KINDS = {
  protection: { whose: 'nobody', until: ['tab'] },
  knownDevice: { whose: 'person', until: ['knownDevice', 'reader'] },
  session: { whose: 'person', until: ['tab', 'session'] },
  registration: { whose: 'person', until: ['sent', 'tab'] },
  settings: { whose: 'nobody', until: ['reader'] },
  searches: { whose: 'person', until: ['session', 'reader'] },
  push: { whose: 'person', until: ['session', 'reader'] },
  programme: { whose: 'department', until: ['reader'] },
  files: { whose: 'department', until: ['openedFile', 'reader'] },
  keptFiles: { whose: 'department', until: ['reader'] },
  own: { whose: 'person', until: ['session'] },
  participants: { whose: 'participant', until: ['namesOnDevice', 'session'] },
  ticks: { whose: 'participant', until: ['sent'] },
} as const satisfies Record<string, { whose: string; until: readonly RetentionLimit[] }>
export type DeviceDataKind = keyof typeof DEVICE_DATA_KINDS

/** All storage locations. An end-to-end test fails if the browser contains a location that is not declared here. */
export const DEVICE_STORAGE_LOCATIONS: readonly DeviceStorageLocation[] = [
  { kind: 'protection', where: 'cookie', name: 'XSRF-TOKEN' },
  { kind: 'protection', where: 'cookie', name: 'CompanyLogin' },
  { kind: 'knownDevice', where: 'cookie', name: 'Device' },
  { kind: 'session', where: 'local', name: 'SessionToken' },
  { kind: 'session', where: 'tab', name: 'SessionToken' },
  { kind: 'session', where: 'local', name: 'LastSession' },
  { kind: 'session', where: 'tab', name: 'LastSession' },
  { kind: 'session', where: 'local', name: 'CompanyLogout' },
  { kind: 'registration', where: 'tab', name: 'Registration' },
  {
    kind: 'settings',
    where: 'local',
    name: /^(?:Language|ColorScheme|TextSize|InstallHintDismissed|ClockOffset|TimeZone|OfficeViews)$/,
  },
  { kind: 'searches', where: 'local', name: 'Searches' },
  { kind: 'push', where: 'local', name: 'PushOwner' },
  { kind: 'ticks', where: 'local', name: /^Attendance(?:LastDoneAt|Unsent)$/ },
  { kind: 'ticks', where: 'indexedDb', name: /^attendance\/(?:entries|sender)$/ },
  { kind: 'participants', where: 'indexedDb', name: 'attendance/kept' },
  ...PERSONAL_STORAGE_KEYS.map(
    (key): DeviceStorageLocation => ({ kind: 'own', where: 'indexedDb', name: `portal/stores/${key}` }),
  ),
  {
    kind: 'programme',
    where: 'indexedDb',
    name: /^portal\/stores\/(?:config|content|course-index|course-texts|seasons|divisions|gallery|pages|certificate-keys|booking-orders)$/,
  },
  // ages of cached files, recorded by workbox-expiration
  { kind: 'files', where: 'indexedDb', name: 'workbox-expiration/cache-entries' },
  { kind: 'files', where: 'cache', name: /^(?:documents|pictures)$/ },
  { kind: 'own', where: 'cache', name: 'pictures-own' },
  { kind: 'own', where: 'cache', name: 'views' },
  { kind: 'keptFiles', where: 'cache', name: 'documents-kept' },
  { kind: 'programme', where: 'cache', name: 'documents-flyers' },
  { kind: 'programme', where: 'cache', name: /^workbox-precache-v2-/ },
]

/** Kind of data stored at a location; null if the location is not declared. */
export const kindOfStorageLocation = (where: DeviceStorageLocation['where'], name: string): DeviceDataKind | null =>
  DEVICE_STORAGE_LOCATIONS.find(location => {
    const isMeant = typeof location.name === 'string' ? location.name === name : location.name.test(name)
    return location.where === where && isMeant
  })?.kind ?? null
