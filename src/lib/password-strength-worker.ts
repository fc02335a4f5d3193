import { createMeter } from './password-meter.ts'
import type { StrengthQuestion } from './password-strength.ts'

const meter = import('./password-words.json').then(({ default: words }) => createMeter(words))

/** Each question brings the port for its answer; null: what is known of words could not be fetched. */
addEventListener('message', ({ data, ports }: MessageEvent<StrengthQuestion>) => {
  meter.then(
    measure => ports[0]?.postMessage(measure(data.password, data.knownWords)),
    // The page then shows no strength, and the server judges.
    () => ports[0]?.postMessage(null),
  )
})
