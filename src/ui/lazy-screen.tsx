import i18next from 'i18next'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { NoResponseError } from '#lib/api-error.ts'
import { retryUntilLoaded, waitForPageLoad } from '#lib/lazy-load.ts'
import { showError } from '#lib/toast.ts'

export type LoadScreen<Props = object> = () => Promise<ComponentType<Props>>

/**
 * Error messages of browsers (and of Vite for styles) if a chunk cannot be loaded, either offline or because its
 * version was removed.
 */
const NOT_FETCHED = /dynamically imported module|importing a module script|preload CSS/i

async function fetchScreen<Props>(load: LoadScreen<Props>): Promise<ComponentType<Props>> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Error && NOT_FETCHED.test(error.message)) {
      throw new NoResponseError('the chunk of this screen is not loaded', { cause: error })
    }
    throw error
  }
}

type Lazy<Props> = { screen: ComponentType<Props>; preload: LoadScreen<Props> }

/** @param wait returns the fallback shown while the chunk is loading */
function lazyFile<Props extends object>(
  load: LoadScreen<Props>,
  wait: (preload: LoadScreen<Props>) => Promise<ComponentType<Props>>,
): Lazy<Props> {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => {
    // Loading again could apply a URL that is about to change.
    loaded ??= await fetchScreen(load)
    return loaded
  }
  const Waiting = lazy(async () => ({ default: await wait(preload) }))
  const screen = (props: Props) => {
    const [Shown] = useState(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  return { screen, preload }
}

/**
 * A screen in a chunk of its own. Once loaded, it is rendered without Suspense, because React throttles the removal of
 * a fallback by 300 ms.
 */
export const lazyScreen = <Props extends object>(load: LoadScreen<Props>): Lazy<Props> =>
  lazyFile(load, preload => preload())

/** Lazy component that suspends its whole screen while loading. A load error is shown once, then loading is retried. */
export const lazySuspendingComponent = <Props extends object>(load: LoadScreen<Props>): Lazy<Props> =>
  lazyFile(load, preload =>
    preload().catch(() => {
      showError(i18next.t('shell:noAnswer'))
      return retryUntilLoaded(preload)
    }),
  )

/**
 * Lazy component for an optional part of a screen.
 * @param wait fallback while loading
 */
export function lazyComponent<Props extends object>(load: LoadScreen<Props>, wait: ReactNode = null): Lazy<Props> {
  const { screen: Part, preload } = lazySuspendingComponent(load)
  return {
    screen: props => (
      <Suspense fallback={wait}>
        <Part {...props} />
      </Suspense>
    ),
    preload,
  }
}

/**
 * Lazy component that is loaded only after the first render.
 * @param wait fallback while loading
 */
export function lazyComponentAfterFirstRender<Props extends object>(
  load: LoadScreen<Props>,
  wait: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(async () => {
    await waitForPageLoad()
    return { default: await retryUntilLoaded(load) }
  })
  return props => (
    <Suspense fallback={wait}>
      <Part {...props} />
    </Suspense>
  )
}
