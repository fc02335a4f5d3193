/** Resolves when the resources of the first screen are loaded; lower-priority work must not compete with them. */
export const pageLoaded = (): Promise<void> =>
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve()
    else window.addEventListener('load', () => resolve(), { once: true })
  })

/** Resolves when the main thread is idle. */
export const pageIdle = (): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve())
    else setTimeout(resolve, 100)
  })

/** Yields to the event loop, so that pending input and frames are handled first. */
export const nextTask = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
