import { type ComponentType, lazy, useState } from 'react'
import { NoAnswerError } from '#lib/api-error.ts'

export type LoadScreen = () => Promise<ComponentType>

/** As browsers, and Vite for styles, say that a file of the app did not come: no network, or its version is gone. */
const NOT_FETCHED = /dynamically imported module|importing a module script|preload CSS/i

async function fetchScreen(load: LoadScreen): Promise<ComponentType> {
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
export function lazyScreen(load: LoadScreen): { screen: ComponentType; preload: LoadScreen } {
  let loaded: ComponentType | null = null
  const preload = async () => {
    loaded = await fetchScreen(load)
    return loaded
  }
  const Waiting = lazy(async () => ({ default: await preload() }))
  const screen = () => {
    const [Shown] = useState(() => loaded ?? Waiting)
    return <Shown />
  }
  return { screen, preload }
}
