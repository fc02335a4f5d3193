import i18next from 'i18next'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { NoAnswerError } from '#lib/api-error.ts'
import { insist } from '#lib/late.ts'
import { pageLoaded } from '#lib/page-loaded.ts'
import { showError } from '#lib/toast.ts'

export type LoadScreen<Props = object> = () => Promise<ComponentType<Props>>

/** As browsers, and Vite for styles, say that a file of the app did not come: no network, or its version is gone. */
const NOT_FETCHED = /dynamically imported module|importing a module script|preload CSS/i

async function fetchScreen<Props>(load: LoadScreen<Props>): Promise<ComponentType<Props>> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Error && NOT_FETCHED.test(error.message)) {
      throw new NoAnswerError('no screen', { cause: error })
    }
    throw error
  }
}

type Lazy<Props> = { screen: ComponentType<Props>; preload: LoadScreen<Props> }

/** @param wait the way to ask where it shows and has not come yet */
function lazyFile<Props extends object>(
  load: LoadScreen<Props>,
  wait: (preload: LoadScreen<Props>) => Promise<ComponentType<Props>>,
): Lazy<Props> {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => {
    loaded = await fetchScreen(load)
    return loaded
  }
  const Waiting = lazy(async () => ({ default: await wait(preload) }))
  const screen = (props: Props) => {
    const [Shown] = useState(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  return { screen, preload }
}

/** A screen with a file of its own. One on the device shows at once: React holds back for 300 ms what has shown a wait before. */
export const lazyScreen = <Props extends object>(load: LoadScreen<Props>): Lazy<Props> =>
  lazyFile(load, preload => preload())

/** A part that the screen around it waits for: that it has not come is told once, and it is asked for again. */
export const awaitedPart = <Props extends object>(load: LoadScreen<Props>): Lazy<Props> =>
  lazyFile(load, preload =>
    preload().catch(() => {
      showError(i18next.t('shell:noAnswer'))
      return insist(preload)
    }),
  )

/** A part of a screen that stays what it is without it. @param wait what shows in its place */
export function lazyPart<Props extends object>(load: LoadScreen<Props>, wait: ReactNode = null): Lazy<Props> {
  const { screen: Part, preload } = awaitedPart(load)
  return {
    screen: props => (
      <Suspense fallback={wait}>
        <Part {...props} />
      </Suspense>
    ),
    preload,
  }
}

/** A part that comes after the first view, which shows nothing of it and does not wait for it. @param wait what shows in its place */
export function late<Props extends object>(load: LoadScreen<Props>, wait: ReactNode = null): ComponentType<Props> {
  const Part = lazy(async () => {
    await pageLoaded()
    return { default: await insist(load) }
  })
  return props => (
    <Suspense fallback={wait}>
      <Part {...props} />
    </Suspense>
  )
}
