import { type ComponentType, lazy, useState } from 'react'
import { NoAnswerError } from '#lib/api-error.ts'

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

/** A screen with a file of its own. One on the device shows at once: React holds back for 300 ms what has shown a wait before. */
export function lazyScreen<Props extends object>(
  load: LoadScreen<Props>,
): { screen: ComponentType<Props>; preload: LoadScreen<Props> } {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => {
    loaded = await fetchScreen(load)
    return loaded
  }
  const Waiting = lazy(async () => ({ default: await preload() }))
  const screen = (props: Props) => {
    const [Shown] = useState(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  return { screen, preload }
}
