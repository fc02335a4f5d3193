import { createStrengthMeter } from './password-meter.ts'
import type { StrengthRequest } from './password-strength.ts'

const meter = import('./password-words.json').then(({ default: words }) => createStrengthMeter(words))

/** Each message contains the port to respond to. The response is null if the word lists could not be loaded. */
addEventListener('message', ({ data, ports }: MessageEvent<StrengthRequest>) => {
  meter.then(
    measure => ports[0]?.postMessage(measure(data.password, data.knownWords)),
    // In this case, the page shows no password strength, and only the server checks the password.
    () => ports[0]?.postMessage(null),
  )
})
