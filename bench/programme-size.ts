import { request } from 'node:http'
import { hasRealProgrammes, openRealPortal } from './programmes.ts'

/** Transfer size of the data for list, search and filters. */
const LIMIT_KB_PER_1000 = 45

const bytesOf = (url: string) =>
  new Promise<number>((resolve, reject) => {
    request(url, { headers: { 'Accept-Encoding': 'br' } }, response => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
    })
      .on('error', reject)
      .end()
  })

if (!hasRealProgrammes) console.log('skipped: ../shared is missing')
else {
  for (const name of ['bern', 'rwth'] as const) {
    const portal = await openRealPortal(name)
    const courses = (await (await fetch(`${portal.url}/api/course`)).json()) as unknown[]
    const kb = (await bytesOf(`${portal.url}/api/course?view=index`)) / 1000
    const perThousand = (kb / courses.length) * 1000
    console.log(
      `${name}: ${courses.length} courses, index ${kb.toFixed(1)} KB brotli, ${perThousand.toFixed(1)} KB per 1,000 (limit ${LIMIT_KB_PER_1000})`,
    )
    if (perThousand > LIMIT_KB_PER_1000) process.exitCode = 1
    await portal.close()
  }
}
