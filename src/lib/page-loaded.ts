/** Resolves when the page has everything that its first screen asked for; what comes after must not compete with that. */
export const pageLoaded = (): Promise<void> =>
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve()
    else window.addEventListener('load', () => resolve(), { once: true })
  })

/** Resolves when the page has nothing to do for the moment. */
export const pageIdle = (): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve())
    else setTimeout(resolve, 100)
  })

/** Resolves when what waits, as a tap or a frame, has had its turn. */
export const nextTask = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
