/** What the device keeps under a name; null for nothing, in the worker, and where a setting blocks it. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // Blocked: as if nothing were kept.
    return null
  }
}

/** Leaves nothing of it on the device. */
export function dropSetting(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Blocked: nothing was kept.
  }
}

/** Keeps a text under a name; where that is blocked, it lasts as long as the page. */
export function writeSetting(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Blocked or full: the page knows it.
  }
}
