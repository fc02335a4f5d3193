/** Whether the app is installed and runs in standalone mode rather than in a browser tab. */
export const isInstalled = (): boolean =>
  window.matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)
